import { ListRequest } from '../protocol/requests';
import { startLanguageSession } from '../test/lsp/language-session';
import { generateActions } from './generated-actions';
import { showSummary, summarize, time } from './statistics';

const rounds = 40;

/** From a change to its diagnostics, over real messages, in a workspace of `count` actions. */
export async function benchLanguage(count: number): Promise<void> {
  const files = Object.fromEntries(generateActions(count).map(({ name, text }) => [name, text]));
  const session = await startLanguageSession({ files });
  try {
    // The first answer comes when everything has been read.
    await session.client.sendRequest(ListRequest, { callId: 'bench', input: {}, requestedBy: 'user' });
    const name = 'generated-00000.yaml';
    const text = files[name] ?? '';
    await session.open(name, text);
    const typed: number[] = [];
    const saved: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const mistakes = (round % 2) + 1;
      const broken = text + 'tittle: x\nsumary: y\n'.split('\n').slice(0, mistakes).join('\n') + '\n';
      typed.push(
        await time(async () => {
          await session.edit(name, broken);
          await session.whenDiagnostics(name, (found) => found.length === mistakes);
        }),
      );
    }
    await session.close(name);
    const other = 'generated-00020.yaml';
    for (let round = 0; round < rounds; round += 1) {
      const mistakes = (round % 2) + 1;
      const broken = (files[other] ?? '') + 'tittle: x\nsumary: y\n'.split('\n').slice(0, mistakes).join('\n') + '\n';
      saved.push(
        await time(async () => {
          await session.save(other, broken);
          await session.whenDiagnostics(other, (found) => found.length === mistakes);
        }),
      );
    }
    console.log(
      `edit in the editor to fresh diagnostics, ${count} actions (20 ms of it wait for the typist): ${showSummary(summarize(typed))}`,
    );
    console.log(`file change on disk to fresh diagnostics, ${count} actions: ${showSummary(summarize(saved))}`);
  } finally {
    await session.end();
  }
}
