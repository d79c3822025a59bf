import { describe, expect, it } from 'vitest';
import type { ParsedQuery } from '../../../../capabilities/models';
import { Lexicon } from '../../../../capabilities/search/lexicon/lexicon';
import { MeaningText } from '../../../../capabilities/search/semantic/meaning-text';
import { MemoryRegistry } from '../memory-registry';
import type { ActionSketch } from '../memory-registry';

const texts = new MeaningText(new Lexicon());
const ofQuery = (text: string): string => texts.ofQuery({ text } as ParsedQuery);
function ofAction(sketch: ActionSketch): string {
  const registry = new MemoryRegistry([sketch]);
  return texts.ofResource(registry.all().find((resource) => resource.type === 'action')!);
}

describe('the text that stands for a query', () => {
  it('keeps the content words in their order', () => {
    expect(ofQuery('How do I check the installed version?')).toBe('check installed version?');
  });

  it.each([
    ["update codex but don't restart the server", 'restart'],
    ['check the disk without deleting logs', 'logs'],
  ])('leaves out what %j forbids', (query, forbidden) => {
    expect(ofQuery(query)).not.toContain(forbidden);
  });

  it('says Chinese in the English of the glossary', () => {
    expect(ofQuery('查看服务器端口')).toMatch(/server.*port/u);
  });

  it.each(['', '   ', '嚻囍', '🙂🙂'])('never throws, and keeps no Chinese, for %j', (query) => {
    expect(ofQuery(query)).not.toMatch(/\p{Script=Han}/u);
  });
});

describe('the text that stands for a resource', () => {
  it('is its title, summary and positive uses', () => {
    const text = ofAction({
      action_id: 'net.list_ports',
      title: 'List open ports',
      summary: 'Show listening sockets',
      aliases: ['open sockets'],
      when_to_use: ['A port is taken'],
      when_not_to_use: ['To scan other machines'],
    });
    expect(text).toBe('List open ports. Show listening sockets. open sockets. A port is taken.');
  });

  it('spells the name out when the title says no more', () => {
    expect(ofAction({ action_id: 'net.list_openPorts', title: 'listOpenPorts', summary: 'Sockets' })).toBe(
      'list open ports. Sockets.',
    );
  });

  it('is cut where more would not be read', () => {
    expect(ofAction({ action_id: 'a', summary: 'word '.repeat(400) }).length).toBeLessThanOrEqual(320);
  });
});
