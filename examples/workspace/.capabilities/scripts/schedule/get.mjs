import { runAction } from '../shared/action.mjs';
import { readEvents, requireEvent } from './store.mjs';

await runAction(({ id }) => requireEvent(readEvents(), id));
