import type { WorkspaceLexicon } from '../../models';
import { TextHash } from '../index/text-hash';
import actions from './glossary-actions.json';
import computing from './glossary-computing.json';
import development from './glossary-development.json';
import everyday from './glossary-everyday.json';
import intents from './intents.json';
import stopWords from './stop-words.json';
import symptoms from './symptoms.json';
import traditionalForms from './traditional-characters.json';

/** Stands for every word list that what is derived from definitions depends on; differs when one of them does. */
export function lexiconFingerprint(lexicons: readonly WorkspaceLexicon[]): string {
  const hash = new TextHash();
  const builtIn = [actions, computing, development, everyday, intents, stopWords, symptoms, traditionalForms];
  for (const table of [...builtIn, lexicons]) hash.add(JSON.stringify(table));
  return `${hash.first.toString(16)}-${hash.second.toString(16)}`;
}
