import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { visibleElement } from '../capabilities/execution/visible-text';
import { openCliHost } from './cli-host';
import type { Command, ExitCode } from './command';
import { COMMANDS } from './commands';
import { ProcessTerminal, type Terminal } from './terminal';

/** Finds the command, reads its options, runs it. Every failure ends as a message on standard error and a code. */
async function main(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [first, second] = argv;
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') {
    terminal.write(helpText());
    return first === undefined ? 2 : 0;
  }
  const twoWords = `${first} ${second ?? ''}`;
  const name = Object.hasOwn(COMMANDS, twoWords) ? twoWords : first;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    terminal.tell(`There is no command ${visibleElement(first)}.\n\n${helpText()}`);
    return 2;
  }
  return runCommand(command, argv.slice(name.split(' ').length), terminal);
}

async function runCommand(command: Command, argv: string[], terminal: Terminal): Promise<ExitCode> {
  let parsed;
  try {
    parsed = parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        ...command.options,
        json: { type: 'boolean' },
        workspace: { type: 'string', short: 'w' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    terminal.tell(`${error instanceof Error ? error.message : String(error)}\nUsage: capability ${command.usage}`);
    return 2;
  }
  const { positionals, values } = parsed;
  const [minimum, maximum] = command.positionals;
  if (values.help === true || positionals.length < minimum || positionals.length > maximum) {
    terminal.tell(`Usage: capability ${command.usage}\n${command.summary}`);
    return values.help === true ? 0 : 2;
  }
  const workspace = path.resolve(typeof values.workspace === 'string' ? values.workspace : '.');
  const host = await openCliHost(workspace, terminal);
  try {
    return await command.run({ positionals, values, json: values.json === true, workspace }, terminal, host);
  } finally {
    await host.dispose();
  }
}

function helpText(): string {
  const lines = Object.values(COMMANDS).map((command) => `  capability ${command.usage}\n      ${command.summary}`);
  return `Finds, describes and runs the capabilities of a workspace (.capabilities/).\n\n${lines.join('\n')}\n\nEvery command takes --workspace DIR (default: the current folder) and --json.`;
}

const terminal = new ProcessTerminal();
main(process.argv.slice(2), terminal).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    terminal.tell(`capability: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  },
);
