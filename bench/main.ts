import { availableParallelism, loadavg } from 'node:os';
import { benchLanguage } from './language-bench';
import { benchSearch } from './search-bench';

const count = Number(process.argv[2] ?? 1000);
console.log(`${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1) ?? '?'}, Node ${process.version}`);
await benchSearch(count);
await benchLanguage(count);
