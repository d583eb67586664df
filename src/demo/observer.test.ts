import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Fact } from './journal.ts';
import { Observer } from './observer.ts';

test('a line that is half written is read when it is whole', () => {
  const { observer, write } = open();
  write('{"agent":"lead","pid":1,"fact":"started","sta');
  observer.look();
  expect(observer.life('lead')).toBeUndefined();
  write('rtedAt":"5"}\n');
  observer.look();
  expect(observer.life('lead')).toEqual({ pid: 1, startedAt: '5', count: 1 });
});

test('rule 33: what is handed over again under the same key is one letter', () => {
  const { observer, note } = open();
  const letter = { to: 'worker-1', text: 'amber-1' };
  note(1, { fact: 'sending', ...letter });
  note(1, { fact: 'sending', ...letter });
  note(1, { fact: 'accepted', id: 'a', ...letter });
  expect(observer).toMatchObject({ resent: 1, sending: [letter], accepted: [{ id: 'a' }] });
});

test('what a program tells is told at once; what it received is known by who had it', () => {
  const { observer, note, told } = open();
  note(1, { fact: 'story', text: 'begins' });
  expect(told).toEqual(['lead: begins']);
  const copy = { id: 'a', from: 'worker-1', text: 'x', repeat: true };
  note(1, { fact: 'received', copies: [copy] });
  expect(observer.hasReceived('lead', ({ from }) => from === 'worker-1')).toBe(true);
  expect(observer.hasReceived('worker-1', () => true)).toBe(false);
  expect(observer.repeats).toBe(1);
});

test('a life that is held says nothing of the next one', () => {
  const { observer, note } = open();
  note(1, { fact: 'started', startedAt: '' });
  note(1, { fact: 'holding', at: 'task 1' });
  expect(observer.isHeld('lead', 'task 1')).toBe(true);
  note(2, { fact: 'started', startedAt: '' });
  expect(observer.isHeld('lead', 'task 1')).toBe(false);
  expect(observer.life('lead')?.count).toBe(2);
});

function open() {
  const home = mkdtempSync(join(tmpdir(), 'sbx-journal-'));
  const told: string[] = [];
  const observer = new Observer(home, (agent, text) => told.push(`${agent}: ${text}`));
  onTestFinished(() => {
    observer.close();
    rmSync(home, { recursive: true });
  });
  const write = (text: string): void => appendFileSync(join(home, 'demo-journal.ndjson'), text);
  const note = (pid: number, fact: Fact): void => {
    write(`${JSON.stringify({ agent: 'lead', pid, ...fact })}\n`);
    observer.look();
  };
  return { observer, write, note, told };
}
