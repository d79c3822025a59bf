import { describe, expect, test } from 'vitest';
import { ablationSections } from '../../../capabilities/evaluation/report/ablation-report';
import { drawBars } from '../../../capabilities/evaluation/report/bar-chart';
import { htmlPage } from '../../../capabilities/evaluation/report/html-page';
import { escapeHtml, htmlTable } from '../../../capabilities/evaluation/report/html-text';
import { plainSections } from '../../../capabilities/evaluation/report/plain-report';
import { sampleSections } from '../../../capabilities/evaluation/report/sample-sections';
import type { SetScores } from '../../../capabilities/evaluation/ranker';
import type { SampleOutcome } from '../../../capabilities/evaluation/sample-run';
import { scoreSamples } from '../../../capabilities/evaluation/sample-scores';
import { MemoryRegistry } from '../search/memory-registry';

const hostile = '<img src=x onerror="alert(1)">&\'';
const scores: SetScores = {
  ...{ n: 3, top1: 50, r1: 40, r5: 60, r10: 70, ndcg10: 55, mrr: 52, comp10: 44, ms_p50: 0.5, ms_p95: 12 },
};

function assertSelfContained(page: string): void {
  expect(page).toMatch(/^<!doctype html>/);
  expect(page).toContain("default-src 'none'");
  expect(page).not.toMatch(/<script|<link|<img|https?:|url\(|@import/i);
}

test('text can’t become markup', () => {
  expect(escapeHtml(hostile)).toBe('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;');
  expect(htmlTable([hostile], [[hostile]])).not.toContain('<img');
  expect(htmlPage(hostile, hostile, [{ heading: hostile, html: '' }])).not.toContain('<img');
});

describe('pages need nothing from outside', () => {
  test('plain datasets: means, sets, times and figures', () => {
    const results = [
      { set: 'a-en', tools: 5, product: scores, baselines: { okapi: scores } },
      { set: hostile, tools: 5, product: scores, baselines: {} },
    ];
    const page = htmlPage('Search', 'made by a test', plainSections(results));
    assertSelfContained(page);
    expect(page.match(/<svg/g)).toHaveLength(3);
    expect(page).toContain('>a-en<');
  });

  test('ablation: one plot for each group that there is', () => {
    const delta = { without: 'rerank', top1: -1, r5: 0, ndcg10: -2.5, ms_p50: -0.1 };
    const sections = ablationSections([
      { ...delta, group: 'en' },
      { ...delta, group: 'zh2en' },
    ]);
    const page = htmlPage('Ablation', '', sections);
    assertSelfContained(page);
    expect(page.match(/<svg/g)).toHaveLength(2);
    expect(page).toContain('>-2.5<');
  });

  test('own samples: measures, kinds, times and every failing sample', () => {
    const outcome: SampleOutcome = {
      loaded: {
        sample: { query: hostile, kind: 'goal', expected_top_actions: ['a.b'], expected_resolution: 'confident' },
        path: 'own.yaml',
        line: 3,
      },
      ...{ resolution: 'ambiguous', ranking: ['a.c'], shown: 1, leaked: [] },
      ...{ planned: 1, completed: 1, candidates: 1, durationMs: 1.5 },
    };
    const registry = new MemoryRegistry([{ action_id: 'a.b' }, { action_id: 'a.c' }]);
    const page = htmlPage('Own', '', sampleSections(scoreSamples([outcome], [], registry), [outcome], []));
    assertSelfContained(page);
    expect(page).toContain('own.yaml:3');
    expect(page).toContain('expected a.b not found; got a.c');
  });
});

test('bars are as long as their values, and absent where there is none', () => {
  const chart = drawBars({
    title: 'Plot',
    series: ['one', 'two'],
    groups: [{ label: 'set', values: [50, undefined] }],
    maximum: 100,
    unit: ' %',
  });
  expect(chart).toMatch(/class="s0"[^>]*width="320\.0"/);
  expect(chart).not.toMatch(/class="s1"[^>]*width="\d{2,}\./);
  expect(chart).toContain('50 %');
});
