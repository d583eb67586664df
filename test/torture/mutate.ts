import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debtMutants as debts } from '../simulation/debts/mutants.ts';
import type { Hunted } from '../simulation/hunt.ts';
import { mutants as delivery, type Mutant } from '../simulation/mutants.ts';
import type { Storms } from './simulate.ts';

/** Storms that a mutant must survive to be called a survivor. */
const storms = { delivery: 1200, debts: 240 };
/** A mutant that makes the engine run in circles is caught, too. Milliseconds. */
const longestMs = 1_800_000;

export const mutantsOf: Readonly<Record<Storms, readonly Mutant[]>> = { delivery, debts };

interface Given {
  readonly only: readonly Storms[];
  /** Hunts at the same time, each in a copy of its own. */
  readonly lanes: number;
  readonly say: (line: string) => void;
}

/**
 * Each mutant of the engine in a copy of the source, against the simulation. True when all were
 * caught.
 */
export async function mutate({ only, lanes, say }: Given): Promise<boolean> {
  let isCaught = true;
  for (const kind of only) isCaught = (await mutateOf(kind, lanes, say)) && isCaught;
  return isCaught;
}

async function mutateOf(
  kind: Storms,
  lanes: number,
  say: (line: string) => void,
): Promise<boolean> {
  const mutants = mutantsOf[kind];
  const root = new URL('../..', import.meta.url).pathname;
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-mutants-'));
  try {
    const copies = Array.from({ length: lanes }, (_, i) => join(folder, String(i)));
    for (const copy of copies) await copySource(root, copy);
    const [first = folder] = copies;
    for (const mutant of mutants) await readOnce(first, mutant);
    const sound = await hunt(first, kind);
    if (sound.broken !== undefined) {
      say(`The source itself is caught, so mutants tell nothing: ${sound.broken}`);
      return false;
    }
    say('| rule | mutant | caught by |\n| --- | --- | --- |');
    const waiting = [...mutants];
    let survivors = 0;
    const work = async (copy: string): Promise<void> => {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
        const found = describe(await tryOut(copy, mutant, kind), sound, kind);
        if (found === undefined) survivors++;
        say(`| ${mutant.rule} | ${mutant.name} | ${found ?? '**nothing**'} |`);
      }
    };
    await Promise.all(copies.map(work));
    say(`\n${mutants.length} mutants, ${survivors} survivors of ${storms[kind]} storms`);
    return survivors === 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** All that `hunt.ts` loads, directly or not. */
export const copiedFolders = [
  'src',
  'test/simulation',
  'test/fakes',
  'test/support',
  'test/torture',
];

async function copySource(root: string, folder: string): Promise<void> {
  for (const part of [...copiedFolders, 'package.json', 'tsconfig.json'])
    await cp(join(root, part), join(folder, part), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
}

/**
 * What gave a mutant away: a broken promise, or something that it never did though the sound source
 * does.
 */
function describe({ broken, missing }: Hunted, sound: Hunted, kind: Storms): string | undefined {
  if (broken !== undefined) return broken.replaceAll(/msg_\w+/g, 'a message');
  const [never] = missing.filter((what) => !sound.missing.includes(what));
  return never === undefined ? undefined : `never in ${storms[kind]} storms: ${never}`;
}

async function tryOut(folder: string, mutant: Mutant, kind: Storms): Promise<Hunted> {
  const { file, from, to, also } = mutant;
  const path = join(folder, file);
  const source = await readOnce(folder, mutant);
  const once = source.replace(from, () => to);
  await writeFile(path, also ? once.replace(also.from, () => also.to) : once);
  try {
    return await hunt(folder, kind);
  } finally {
    await writeFile(path, source);
  }
}

/** Its source, in which the place of the change is known. */
export async function readOnce(folder: string, { file, from, also }: Mutant): Promise<string> {
  const source = await readFile(join(folder, file), 'utf8');
  for (const text of [from, ...(also ? [also.from] : [])])
    if (source.split(text).length !== 2) throw new Error(`${file} does not hold once: ${text}`);
  return source;
}

/** The storms of one source. */
function hunt(folder: string, kind: Storms): Promise<Hunted> {
  const args = ['--import', 'tsx', 'test/simulation/hunt.ts', String(storms[kind]), kind];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: folder, timeout: longestMs });
    let said = '';
    child.stdout.on('data', (data: Buffer) => {
      said += data.toString();
    });
    let trouble = '';
    child.stderr.on('data', (data: Buffer) => {
      trouble += data.toString();
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (signal !== null) resolve({ broken: 'it ran in circles', missing: [] });
      else if (code === 0) resolve(JSON.parse(said) as Hunted);
      else reject(new Error(trouble.slice(0, 2000)));
    });
  });
}
