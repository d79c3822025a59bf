/** A failure the caller can act on. Its message is all that reaches standard error. */
export class Refusal extends Error {}

/** Runs one action: its arguments come from CAPABILITY_ARGS, its result goes to standard output as JSON. */
export async function runAction(perform) {
  try {
    const result = await perform(readArguments());
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Refusal ? error.message : error.stack}\n`);
    process.exitCode = 1;
  }
}

function readArguments() {
  const text = process.env.CAPABILITY_ARGS ?? '{}';
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('CAPABILITY_ARGS is not valid JSON.');
  }
}
