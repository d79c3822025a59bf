import { runAction } from '../shared/action.mjs';
import { requireProgram } from '../shared/program.mjs';
import { interpreterOf, readOnlyPython } from './environments.mjs';

await runAction(({ venv, name_contains = '' }) => {
  const interpreter = interpreterOf(venv);
  const argv = ['-m', 'pip', '--disable-pip-version-check', 'list', '--format=json'];
  const text = requireProgram(interpreter, argv, { env: readOnlyPython });
  const wanted = name_contains.toLowerCase();
  const packages = JSON.parse(text).filter(({ name }) => name.toLowerCase().includes(wanted));
  return { interpreter, count: packages.length, packages: packages.map(({ name, version }) => ({ name, version })) };
});
