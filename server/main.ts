import { Console } from 'node:console';
import process from 'node:process';
import {
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { LanguageServer } from './language-server';

// The protocol owns standard output: whatever a library prints goes to standard error.
globalThis.console = new Console(process.stderr, process.stderr);

const connection = createConnection(
  ProposedFeatures.all,
  new StreamMessageReader(process.stdin),
  new StreamMessageWriter(process.stdout),
);
process.stdin.once('close', () => {
  process.exit(0);
});
new LanguageServer(connection).listen();
