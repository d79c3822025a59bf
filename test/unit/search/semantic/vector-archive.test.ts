import { describe, expect, it } from 'vitest';
import type { Clock, QuantizedVector } from '../../../../capabilities/ports';
import { VectorArchive } from '../../../../capabilities/search/semantic/vector-archive';
import { MemoryStore } from '../../execution/memory-store';
import { DIGEST } from '../memory-registry';

const hash = (text: string): string => DIGEST.sha256(text);
const vector = (seed: number): QuantizedVector => ({ codes: Int8Array.of(seed, -127, 0, 127), scale: 0.0123 * seed });

function build() {
  const data = new MemoryStore();
  const clock = { now: () => 1_000 + data.files.size } as Clock;
  return { data, archive: new VectorArchive(data, { digest: DIGEST, clock }) };
}

describe('the archive of vectors', () => {
  it('gives back what was saved, exactly', async () => {
    const { archive } = build();
    await archive.save('model', new Map([[hash('a'), vector(1)]]));
    await archive.save('model', new Map([[hash('b'), vector(2)]]));
    const loaded = await archive.load('model');
    expect(loaded.get(hash('a'))).toEqual(vector(1));
    expect(loaded.get(hash('b'))).toEqual(vector(2));
  });

  it('keeps the vectors of embedders apart', async () => {
    const { archive } = build();
    await archive.save('one model', new Map([[hash('a'), vector(1)]]));
    expect((await archive.load('../another/model')).size).toBe(0);
  });

  it.each(['nonsense', `${hash('a')} 1 ***`, `${hash('a')} NaN AAAA`, `${hash('a')} 1 `, ''])(
    'passes over the line %j',
    async (line) => {
      const { archive, data } = build();
      await archive.save('model', new Map([[hash('b'), vector(2)]]));
      const [name = '', text = ''] = [...data.files][0] ?? [];
      data.files.set(name, `${line}\n${text}\n${line}`);
      expect([...(await archive.load('model')).keys()]).toEqual([hash('b')]);
    },
  );

  it('puts many small files together without losing a vector', async () => {
    const { archive, data } = build();
    for (let at = 0; at < 70; at += 1) await archive.save('model', new Map([[hash(`text ${at}`), vector(at)]]));
    expect(data.files.size).toBe(70);
    expect((await archive.load('model')).size).toBe(70);
    expect(data.files.size).toBe(1);
    expect((await archive.load('model')).get(hash('text 33'))).toEqual(vector(33));
  });
});
