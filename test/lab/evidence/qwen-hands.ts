import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findTranscript } from '../../../src/providers/qwen/transcript.ts';
import { asObject, type Json, parseObject } from '../../../src/shared/json.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { Given } from './provider-life.ts';
import type { EvidenceLab } from './run-cases.ts';

/** Its record is written a moment after its request. */
export async function onRecord(lab: EvidenceLab, given: Given): Promise<void> {
  const isThere = async (): Promise<boolean> => {
    const path = await findTranscript(lab.life.context());
    const lines = path === undefined ? [] : readFileSync(path, 'utf8').split('\n');
    return lines.some(
      (line) => line.includes(given.mark) && parseObject(line)?.['type'] === 'user',
    );
  };
  await waitUntil('its user record', isThere, 20_000);
  await lab.expect(given, 'none');
}

export function hooksOf(lab: EvidenceLab): string {
  lab.life.readHooks();
  return lab.life.hooks
    .map(({ event, body }) => {
      const id = String(body['prompt_id'] ?? 'no id').replace(/.*########/, '#');
      return `${event}(${body['notification_type'] ?? ''} ${id})`;
    })
    .join(' ');
}

/** What is expected of which marks, and the lines of the chat file that say so. */
export async function record(
  lab: EvidenceLab,
  expected: readonly (readonly [Given, string])[],
  more: object = {},
): Promise<readonly object[]> {
  const path = await findTranscript(lab.life.context());
  const lines = path === undefined ? [] : readFileSync(path, 'utf8').split('\n');
  const records = lines
    .map(parseObject)
    .filter((each) => each !== undefined)
    .map(shorten);
  const marks = expected.map(([{ mark, trace }, found]) => ({
    mark,
    at: trace.at,
    found,
    ...lab.life.submitted(mark),
    ...more,
  }));
  const { startedAt } = lab.life.context();
  const file = path === undefined ? undefined : basename(path);
  return [{ case: marks, file, startedAt }, ...records];
}

/** Snapshots are long and no part of any rule; of a measurement its name matters. */
function shorten(line: Json): Json {
  const { systemPayload, ...rest } = line;
  if (systemPayload === undefined) return line;
  const { uiEvent } = asObject(systemPayload);
  const { 'event.name': name, status_code } = asObject(uiEvent);
  return name === undefined
    ? rest
    : { ...rest, systemPayload: { uiEvent: { 'event.name': name, status_code } } };
}

export async function ended(lab: EvidenceLab, outcome: string): Promise<void> {
  const isIt = (): boolean => lab.life.turnEnds.some((end) => end.outcome === outcome);
  await waitUntil(`a turn that ended ${outcome}`, isIt, 20_000).catch((error: Error) => {
    throw new Error(`${error.message}; ${JSON.stringify(lab.life.turnEnds)} ${hooksOf(lab)}`);
  });
  lab.note(`turn end: ${JSON.stringify(lab.life.turnEnds.at(-1))}`);
}

export async function shows(lab: EvidenceLab, pattern: RegExp): Promise<void> {
  await lab.life.terminal.waitFor(String(pattern), ({ text }) => pattern.test(text), 20_000);
}

export async function clearComposer(lab: EvidenceLab): Promise<void> {
  await lab.life.terminal.keys('C-c');
  await shows(lab, /Type your message/);
  await lab.life.terminal.settled(2000, 10_000).catch(() => undefined);
}

export async function fileAppears(lab: EvidenceLab, name: string): Promise<void> {
  await waitUntil(`the file ${name}`, () => existsSync(join(lab.home.cwd, name)), 20_000);
}
