import { Refusal, runAction } from '../shared/action.mjs';
import { runProgram } from '../shared/program.mjs';
import { interpreterOf, readOnlyPython } from './environments.mjs';

await runAction(({ venv }) => {
  const interpreter = interpreterOf(venv);
  const { code, stdout, stderr } = runProgram(interpreter, ['-m', 'pip', '--disable-pip-version-check', 'check'], {
    env: readOnlyPython,
  });
  const lines = stdout.trim().split('\n').filter(Boolean);
  if (lines.length === 0) throw new Refusal(stderr.trim() || 'pip check said nothing.');
  return { interpreter, consistent: code === 0, conflicts: code === 0 ? [] : lines };
});
