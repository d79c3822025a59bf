import process from 'node:process';
import type { IsolationReport } from '../../capabilities/ports';
import type { Command } from '../command';
import type { CliHost } from '../cli-host';

/** One thing that was looked at. */
interface Check {
  readonly name: string;
  readonly passed: boolean;
  /** What was found, in a sentence. */
  readonly found: string;
  /** What a person can do, when it did not pass. */
  readonly fix: string | undefined;
}

/** `capability doctor` */
export const doctorCommand: Command = {
  usage: 'doctor',
  summary: 'Says what this machine can enforce, and how to fix what it can not.',
  options: {},
  positionals: [0, 0],
  async run({ json }, terminal, host) {
    const checks = [
      isolationCheck(await host.checkIsolation()),
      await storeCheck(host),
      await auditCheck(host),
      definitionsCheck(host),
      nodeCheck(),
    ];
    if (json) terminal.write(JSON.stringify({ checks }));
    else terminal.write(checks.map(showCheck).join('\n'));
    return checks.every(({ passed }) => passed) ? 0 : 1;
  },
};

function isolationCheck(report: IsolationReport): Check {
  const name = 'isolation';
  if (!report.available) {
    const consequence = 'Actions that start programs are refused here.';
    return { name, passed: false, found: `${report.reason} ${consequence}`, fix: report.fix };
  }
  const found = `${report.backend} works: a trial could not write, connect or see other processes.`;
  return { name, passed: true, found, fix: undefined };
}

async function storeCheck(host: CliHost): Promise<Check> {
  const name = 'data folder';
  const failure = await host.checkStore();
  return failure === undefined
    ? { name, passed: true, found: `${host.dataFolder} can be written.`, fix: undefined }
    : {
        ...{ name, passed: false, found: `${host.dataFolder} can't be written: ${failure}` },
        fix: 'Free some space or correct its permissions: without it nothing that changes anything is run.',
      };
}

async function auditCheck(host: CliHost): Promise<Check> {
  const { isIntact } = await host.engine.verifyAudit();
  return isIntact
    ? { name: 'audit log', passed: true, found: 'Every record is where it was written.', fix: undefined }
    : {
        ...{ name: 'audit log', passed: false, found: 'Records were changed, removed or added.' },
        fix: '`capability audit verify` says where.',
      };
}

function definitionsCheck(host: CliHost): Check {
  const errors = host.findings().filter(({ severity }) => severity === 'error').length;
  return {
    ...{
      name: 'definitions',
      passed: errors === 0,
      found: `${errors === 0 ? 'No' : errors} errors in the definition files.`,
    },
    fix: errors === 0 ? undefined : '`capability validate` lists them.',
  };
}

function nodeCheck(): Check {
  return {
    name: 'node',
    passed: true,
    found: `${process.version} on ${process.platform} ${process.arch}.`,
    fix: undefined,
  };
}

function showCheck({ name, passed, found, fix }: Check): string {
  const mark = passed ? 'ok  ' : 'FAIL';
  return `${mark} ${name}: ${found}${fix === undefined ? '' : `\n     ${fix}`}`;
}
