import { Refusal } from '../shared/action.mjs';
import { runProgram } from '../shared/program.mjs';

const QUIET = { npm_config_logs_max: '0', npm_config_update_notifier: 'false', npm_config_fund: 'false' };

/** Runs npm without logs, notices or update checks. */
export function npm(argv, options = {}) {
  return runProgram('npm', argv, { timeout: 60_000, ...options, env: QUIET });
}

/** Runs npm and parses what it prints. npm answers some questions with exit code 1 and still prints JSON. */
export function npmJson(argv, options) {
  const { stdout, stderr } = npm([...argv, '--json'], options);
  let answer;
  try {
    answer = JSON.parse(stdout || '{}');
  } catch {
    throw new Refusal(stderr.trim() || `npm ${argv[0]} did not print JSON.`);
  }
  if (answer.error) throw new Refusal(answer.error.summary || answer.error.code || `npm ${argv[0]} failed.`);
  if (stdout === '' && stderr !== '') throw new Refusal(stderr.trim());
  return answer;
}
