import { existsSync, rmSync } from 'node:fs';
import { runAction } from '../shared/action.mjs';
import { demoHome } from './demo-home.mjs';

await runAction(() => {
  const wasPresent = existsSync(demoHome);
  rmSync(demoHome, { recursive: true, force: true });
  return { home: demoHome, changed: wasPresent };
});
