import { existsSync, writeFileSync } from 'node:fs';
import {
  askServer,
  findServer,
  type ServerAddress,
} from '../../../src/providers/opencode/server.ts';
import { asArray, asObject, type Json } from '../../../src/shared/json.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { Given } from './provider-life.ts';
import type { EvidenceLab } from './run-cases.ts';

function address(lab: EvidenceLab): ServerAddress {
  const found = findServer(lab.life.runFolder);
  if (!found || found === 'unreadable') throw new Error('No server.');
  return found;
}

export async function read(lab: EvidenceLab): Promise<readonly Json[]> {
  const path = `/session/${lab.life.conversation}/message`;
  const { body } = await askServer(address(lab), path, AbortSignal.timeout(5000));
  return asArray(body).map(asObject);
}

/** What is expected of which marks, and the messages that say so. */
export async function record(
  lab: EvidenceLab,
  expected: readonly (readonly [Given, string])[],
): Promise<readonly object[]> {
  const marks = expected.map(([{ mark }, found]) => ({ mark, found }));
  const session = lab.life.conversation;
  return [{ case: marks, session, turnEnd: lab.life.turnEnds.at(-1) }, ...(await read(lab))];
}

export async function ended(lab: EvidenceLab, outcome: string): Promise<void> {
  const isIt = (): boolean => lab.life.turnEnds.some((end) => end.outcome === outcome);
  await waitUntil(`a turn that ended ${outcome}`, isIt, 20_000).catch((error: Error) => {
    throw new Error(`${error.message}; ended: ${JSON.stringify(lab.life.turnEnds)}`);
  });
  lab.note(`turn end: ${JSON.stringify(lab.life.turnEnds.at(-1))}`);
}

export async function shows(lab: EvidenceLab, pattern: RegExp): Promise<void> {
  await lab.life.terminal.waitFor(String(pattern), ({ text }) => pattern.test(text), 20_000);
}

export async function interrupt(lab: EvidenceLab): Promise<void> {
  await lab.life.terminal.keys('Escape');
  await shows(lab, /esc again to interrupt/);
  await lab.life.terminal.keys('Escape');
}

export async function touch(lab: EvidenceLab, name: string): Promise<void> {
  writeFileSync(`${lab.home.cwd}/${name}`, '');
}

export async function fileAppears(lab: EvidenceLab, name: string): Promise<void> {
  await waitUntil(`the file ${name}`, () => existsSync(`${lab.home.cwd}/${name}`), 20_000);
}
