import { runAction } from '../shared/action.mjs';
import { npmJson } from './npm.mjs';

const SECRET = /auth|token|password|otp|cert$|^key$/i;
const COMMON = [
  'registry',
  'prefix',
  'cache',
  'userconfig',
  'globalconfig',
  'proxy',
  'https-proxy',
  'offline',
  'engine-strict',
];

await runAction(({ keys = COMMON }) => {
  const settings = npmJson(['config', 'list', '--long']);
  const known = keys.filter((key) => key in settings);
  return {
    settings: Object.fromEntries(
      known.map((key) => [key, SECRET.test(key) ? '(hidden)' : withoutPassword(settings[key])]),
    ),
    unknown: keys.filter((key) => !(key in settings)),
  };
});

/** A proxy or registry address may carry a password. */
function withoutPassword(value) {
  return typeof value === 'string' ? value.replace(/\/\/[^/@]+@/, '//(hidden)@') : value;
}
