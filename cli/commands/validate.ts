import path from 'node:path';
import { visibleText } from '../../capabilities/execution/visible-text';
import type { Command } from '../command';

/** `capability validate`: the same diagnostics as in the editor. */
export const validateCommand: Command = {
  usage: 'validate',
  summary: 'Checks every definition file; fails when one has an error.',
  options: {},
  positionals: [0, 0],
  run({ json, workspace }, terminal, host) {
    const findings = host.findings();
    const errors = findings.filter((finding) => finding.severity === 'error').length;
    if (json) {
      terminal.write(JSON.stringify({ errors, findings }));
    } else {
      for (const finding of findings) {
        terminal.write(
          `${visibleText(path.relative(workspace, finding.path))}:${finding.line}:${finding.column} ${finding.severity} ${finding.code}: ${finding.message}`,
        );
      }
      terminal.tell(errors === 0 ? `${host.engine.registry.all().length} resources, no errors.` : `${errors} errors.`);
    }
    return Promise.resolve(errors === 0 ? 0 : 1);
  },
};
