import { expect, test } from 'vitest';
import { buildSearch, idsOf } from './build-search';

test('what has nothing of the only thing a vague request names does not come before what is about it', async () => {
  const bench = buildSearch([
    { pack_id: 'calendar', title: 'Calendar', summary: 'Meetings of the team.', entities: ['meeting'] },
    { action_id: 'calendar.list', title: 'List meetings', summary: 'Lists meetings.', entities: ['meeting'] },
    { action_id: 'other.matters', title: 'Deal with matters', summary: 'Deals with all sorts of matters and things.' },
  ]);
  const [first] = idsOf(await bench.search('deal with the meeting matters and things'));
  expect(first?.startsWith('calendar')).toBe(true);
});
