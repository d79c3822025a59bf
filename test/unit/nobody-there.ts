import type { Confirmer } from '../../capabilities/ports';

/** A host that can show no dialog. */
export class NobodyThere implements Confirmer {
  confirm(): ReturnType<Confirmer['confirm']> {
    return Promise.resolve('unavailable');
  }

  approvePack(): ReturnType<Confirmer['approvePack']> {
    return Promise.resolve('unavailable');
  }
}
