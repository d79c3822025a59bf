import { runAction } from '../shared/action.mjs';
import { readEvents, readSeed, writeEvents } from './store.mjs';

await runAction(() => {
  const replaced = readEvents().length;
  const seed = readSeed();
  writeEvents(seed);
  return { replaced, events: seed.length };
});
