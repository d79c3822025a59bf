import type { Command } from '../command';

/** `capability audit verify` */
export const auditVerifyCommand: Command = {
  usage: 'audit verify',
  summary: 'Checks the audit log for edits, deletions, swaps, truncation and forged lines.',
  options: {},
  positionals: [0, 0],
  async run({ json }, terminal, host) {
    const report = await host.engine.verifyAudit();
    if (json) terminal.write(JSON.stringify(report));
    else terminal.write(JSON.stringify(report, null, 2));
    return report.isIntact ? 0 : 1;
  },
};
