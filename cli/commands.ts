import type { Command } from './command';
import { approveCommand } from './commands/approve';
import { auditCommand } from './commands/audit';
import { auditVerifyCommand } from './commands/audit-verify';
import { confirmCommand } from './commands/confirm';
import { describeCommand } from './commands/describe';
import { doctorCommand } from './commands/doctor';
import { evalCommand } from './commands/eval';
import { clearHistoryCommand, historyCommand } from './commands/history';
import { listCommand } from './commands/list';
import { runCommand } from './commands/run';
import { searchCommand } from './commands/search';
import { trustCommand } from './commands/trust';
import { validateCommand } from './commands/validate';

/** Every subcommand, by the words that name it. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  search: searchCommand,
  list: listCommand,
  describe: describeCommand,
  run: runCommand,
  confirm: confirmCommand,
  trust: trustCommand,
  approve: approveCommand,
  validate: validateCommand,
  doctor: doctorCommand,
  eval: evalCommand,
  audit: auditCommand,
  'audit verify': auditVerifyCommand,
  history: historyCommand,
  'history clear': clearHistoryCommand,
};
