import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenize } from '../../../capabilities/search/language/tokenizer';
import { Glossary } from '../../../capabilities/search/lexicon/glossary';
import actions from '../../../capabilities/search/lexicon/glossary-actions.json';
import computing from '../../../capabilities/search/lexicon/glossary-computing.json';
import development from '../../../capabilities/search/lexicon/glossary-development.json';
import everyday from '../../../capabilities/search/lexicon/glossary-everyday.json';
import traditionalForms from '../../../capabilities/search/lexicon/traditional-characters.json';

const entries: readonly (readonly string[])[] = [...actions, ...computing, ...development, ...everyday];
const chinese = entries.flatMap(([phrases = '']) => phrases.split(' '));
const glossary = new Glossary();

/** The first alternative of a text that is one known phrase, and all of them. */
function meaningOf(text: string): { readonly phrases: readonly string[]; readonly alternatives: readonly string[] } {
  const found = glossary.phrasesIn(text);
  return {
    phrases: found.map(({ phrase }) => phrase),
    alternatives: found.flatMap(({ alternatives }) => alternatives.map((tokens) => tokens.join(' '))),
  };
}

function stemmed(phrase: string): string {
  return [...new Set(tokenize(phrase, 'words'))].join(' ');
}

describe('the built-in glossary file', () => {
  it('holds at least 1,800 entries', () => {
    expect(entries.length).toBeGreaterThanOrEqual(1800);
  });

  it('is a list of pairs: Chinese phrases apart by a space, English ones by a bar, none empty', () => {
    const isChinese = /^\p{Script=Han}+(?: \p{Script=Han}+)*$/u;
    const isEnglish = /^[a-z0-9][a-z0-9 '-]*[a-z0-9](?:\|[a-z0-9][a-z0-9 '-]*[a-z0-9])*$/;
    const odd = entries.filter(
      ([left = '', right = '', ...rest]) => !isChinese.test(left) || !isEnglish.test(right) || rest.length > 0,
    );
    expect(odd).toEqual([]);
  });

  it('has every Chinese phrase once', () => {
    const seen = new Set<string>();
    const twice = chinese.filter((phrase) => seen.size === seen.add(phrase).size);
    expect(twice).toEqual([]);
  });

  it('has no English phrase twice in one entry, and at most five', () => {
    const odd = entries.filter(([, english = '']) => {
      const phrases = english.split('|');
      return new Set(phrases).size !== phrases.length || phrases.length > 5;
    });
    expect(odd).toEqual([]);
  });

  it('is written in simplified characters', () => {
    const traditional = new Set(traditionalForms.flatMap(([characters = '']) => Array.from(characters)));
    expect(chinese.filter((phrase) => Array.from(phrase).some((character) => traditional.has(character)))).toEqual([]);
  });

  it('maps each traditional character to one other character', () => {
    const traditional = traditionalForms.map(([characters = '']) => characters).join('');
    const simplified = traditionalForms.map(([, characters = '']) => characters).join('');
    expect(Array.from(traditional)).toHaveLength(Array.from(simplified).length);
    expect(new Set(traditional).size).toBe(Array.from(traditional).length);
    expect(Array.from(traditional).filter((character) => simplified.includes(character))).toEqual([]);
  });
});

describe('what the glossary knows', () => {
  it.each([
    ['查询', ['query', 'get', 'look up']],
    ['获取', ['get', 'fetch', 'retrieve']],
    ['预订', ['book', 'reserve']],
    ['设置', ['set', 'configure']],
    ['添加', ['add']],
    ['删除', ['delete', 'remove']],
    ['列出', ['list']],
    ['显示', ['show', 'display', 'print']],
    ['转换', ['convert']],
    ['打开', ['open', 'turn on']],
    ['关闭', ['close', 'turn off', 'shut down']],
    ['创建', ['create']],
    ['仓库', ['repository']],
    ['发送', ['send']],
    ['恢复', ['restore', 'recover', 'resume']],
    ['虚拟环境', ['virtual environment', 'venv']],
    ['环境变量', ['environment variable']],
    ['全局安装', ['global install']],
    ['依赖冲突', ['dependency conflict']],
    ['合并冲突', ['merge conflict']],
    ['负载均衡', ['load balancer']],
    ['命名空间', ['namespace']],
    ['私钥', ['private key']],
    ['磁盘空间', ['disk space']],
    ['正则表达式', ['regular expression', 'regex']],
    ['单元测试', ['unit test']],
    ['缩略图', ['thumbnail']],
    ['电子表格', ['spreadsheet']],
    ['会议纪要', ['meeting minutes']],
    ['汇率', ['exchange rate']],
    ['股价', ['stock price']],
    ['空气质量', ['air quality']],
    ['航班', ['flight']],
    ['酒店', ['hotel']],
    ['快递单号', ['tracking number']],
    ['症状', ['symptom']],
    ['窗帘', ['curtain', 'cover']],
    ['歌单', ['playlist']],
    ['请假', ['leave request']],
    ['明天', ['tomorrow']],
  ])('%s means %j', (phrase, meanings) => {
    expect(meaningOf(phrase).phrases).toEqual([phrase]);
    expect(meaningOf(phrase).alternatives).toEqual(expect.arrayContaining(meanings.map(stemmed)));
  });

  it.each([
    ['請刪除舊的環境變數', ['刪除', '環境']],
    ['檢查防火牆規則', ['檢查', '防火牆規則']],
    ['預訂機票', ['預訂', '機票']],
  ])('reads traditional characters: %s', (text, phrases) => {
    expect(meaningOf(text).phrases).toEqual(expect.arrayContaining(phrases));
  });

  it('takes the longest phrase at each place', () => {
    expect(meaningOf('设置环境变量').phrases).toEqual(['设置', '环境变量']);
    expect(meaningOf('Set the Environment Variables').phrases).toContain('environment variables');
  });

  it('takes a single character only where it is a word', () => {
    expect(meaningOf('运行').phrases).toEqual(['运行']);
    expect(meaningOf('删除第三行').phrases).toContain('行');
    expect(meaningOf('银行行长').phrases).not.toContain('行');
  });

  it('leads English to Chinese, and to synonyms only from the most usual word', () => {
    expect(meaningOf('delete').alternatives).toEqual(expect.arrayContaining(['删除', 'remov']));
    expect(meaningOf('erase').alternatives).not.toContain('delet');
  });

  it('does not lead from a loose translation to the Chinese word', () => {
    expect(meaningOf('query').alternatives).toContain('查询');
    expect(meaningOf('check').alternatives).not.toContain('查询');
  });
});

describe('translations', () => {
  it('gives the most usual English first', () => {
    expect(glossary.translations('仓库').find((name) => /^[a-z]/.test(name))).toBe('repository');
  });

  it('leads from an English name to the Chinese ones and its synonyms', () => {
    expect(glossary.translations('Repository')).toEqual(expect.arrayContaining(['仓库', 'repo']));
  });

  it('does not lead from a loose translation to another thing', () => {
    expect(glossary.translations('exploit')).not.toContain('vulnerability');
  });

  it('is empty for an unknown word', () => {
    expect(glossary.translations('xyzzy')).toEqual([]);
  });
});

describe('a glossary of its own entries', () => {
  const own = new Glossary([['灰度发布 k8s集群', 'canary release|gray release']]);

  it('knows those and nothing else', () => {
    expect(own.phrasesIn('灰度发布和查询').map(({ phrase }) => phrase)).toEqual(['灰度发布']);
    expect(own.phrasesIn('查看 k8s集群').map(({ phrase }) => phrase)).toEqual(['k8s集群']);
  });

  it('takes traditional entries and texts alike', () => {
    expect(new Glossary([['雲端', 'cloud']]).phrasesIn('云端').map(({ phrase }) => phrase)).toEqual(['云端']);
  });
});

describe('any text', () => {
  const pieces = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(...chinese),
    fc.constantFrom('delete ', 'a'),
  );

  it('gives phrases in order, none overlapping, each as it stands there', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        let done = 0;
        for (const { start, end, phrase } of glossary.phrasesIn(text)) {
          expect(start).toBeGreaterThanOrEqual(done);
          expect(phrase).toBe(text.slice(start, end).toLowerCase());
          done = end;
        }
      }),
    );
  });
});
