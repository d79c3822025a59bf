import { sampleSections } from '../../capabilities/evaluation/report/sample-sections';
import { showSampleAblation, type SampleAblationRun } from '../../capabilities/evaluation/sample-ablation';
import type { LoadedSample } from '../../capabilities/evaluation/sample-loader';
import { failingSamples, showSampleScores } from '../../capabilities/evaluation/sample-report';
import { visibleText } from '../../capabilities/execution/visible-text';
import type { CliHost } from '../cli-host';
import type { CommandOptions, ExitCode } from '../command';
import type { Terminal } from '../terminal';
import { chosenVariants } from './ablation-variants';
import { createEvaluationPorts } from './evaluation-ports';
import { writeReport } from './report-file';
import { evaluateSamples, openSamples } from './sample-evaluation';
import { sampleFolder } from './sample-files';

/** `capability eval`: the workspace's own samples over its own registry. */
export async function evaluateWorkspace(options: CommandOptions, terminal: Terminal, host: CliHost): Promise<ExitCode> {
  const samples = soundSamples(terminal, host);
  if (!samples) return 1;
  const { registry } = host.engine;
  const ports = createEvaluationPorts(terminal);
  const { scores, outcomes, lines } = await evaluateSamples(samples, registry, { ports });
  const violated = lines.filter(({ isViolated }) => isViolated).map(({ id, line }) => ({ id, line }));
  if (options.json) terminal.write(JSON.stringify({ ...scores, failing: failingSamples(outcomes), violated }));
  else terminal.write(showSampleScores(scores, outcomes, lines).split('\n').map(visibleText).join('\n'));
  writeReport(options, terminal, {
    title: "Search on the workspace's own samples",
    sections: sampleSections(scores, outcomes, lines),
  });
  return 0;
}

/** `capability eval --ablate` on the workspace's own samples. */
export async function ablateWorkspace(options: CommandOptions, terminal: Terminal, host: CliHost): Promise<ExitCode> {
  const samples = soundSamples(terminal, host);
  if (!samples) return 1;
  const { registry } = host.engine;
  const ports = createEvaluationPorts(terminal);
  const variants = chosenVariants(options.positionals);
  const whole = await evaluateSamples(samples, registry, { ports });
  const runs: SampleAblationRun[] = [];
  for (const { without, switches } of variants) {
    terminal.tell(`without ${without} (${runs.length + 1} of ${variants.length})`);
    runs.push({ without, scores: (await evaluateSamples(samples, registry, { ports, switches })).scores });
  }
  if (options.json) for (const run of runs) terminal.write(JSON.stringify(run));
  else terminal.write(showSampleAblation(whole.scores, runs));
  return 0;
}

/** The samples, or undefined after saying what is wrong with them. */
export function soundSamples(terminal: Terminal, host: CliHost): readonly LoadedSample[] | undefined {
  const { samples, problems } = openSamples(host.root, host.engine.registry);
  for (const { path, line, message } of problems) terminal.tell(visibleText(`${path}:${line}: ${message}`));
  if (problems.length > 0) return undefined;
  if (samples.length > 0) return samples;
  terminal.tell(`There are no samples in ${sampleFolder}. Measure on datasets with --dataset DIR or --all DIR.`);
  return undefined;
}
