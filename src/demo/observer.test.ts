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

test('rule 16: in hand is what was handed out and may not have been answered for yet', () => {
  const { observer, note } = open();
  note(1, { fact: 'handed', ids: ['a', 'b', 'c'] });
  expect(observer.inHand('lead')).toEqual(['a', 'b', 'c']);
  // From here on nobody outside can know.
  note(1, { fact: 'sending', to: 'worker-1', text: 'x', answers: 'a' });
  note(1, { fact: 'sending', to: 'worker-1', text: 'y' });
  expect(observer.inHand('lead')).toEqual(['b', 'c']);
  note(1, { fact: 'finishing', ids: ['a', 'b', 'c'] });
  expect(observer.inHand('lead')).toEqual([]);
});

test('rule 10: what comes again in a later life is told apart by its mark', () => {
  const { observer, note } = open();
  const copy = { id: 'a', from: 'worker-1', text: 'x' };
  note(1, { fact: 'started', startedAt: '' });
  const life = observer.life('lead');
  if (!life) throw new Error('it has started');
  note(1, { fact: 'received', copies: [{ ...copy, repeat: false }] });
  expect(observer.cameAgain('lead', 'a', life)).toBe('not-yet');
  note(2, { fact: 'received', copies: [{ ...copy, repeat: true }] });
  expect(observer.cameAgain('lead', 'a', life)).toBe('marked');
  note(2, { fact: 'received', copies: [{ ...copy, id: 'b', repeat: false }] });
  expect(observer.cameAgain('lead', 'b', life)).toBe('unmarked');
});

test('a life that is held or rests says nothing of the next one', () => {
  const { observer, note } = open();
  note(1, { fact: 'started', startedAt: '' });
  note(1, { fact: 'holding', at: 'handed' });
  expect(observer.isHeld('lead', 'handed')).toBe(true);
  note(2, { fact: 'started', startedAt: '' });
  expect(observer.isHeld('lead', 'handed')).toBe(false);
  expect(observer.life('lead')?.count).toBe(2);
});

function open() {
  const home = mkdtempSync(join(tmpdir(), 'sbx-journal-'));
  const observer = new Observer(home);
  onTestFinished(() => {
    observer.close();
    rmSync(home, { recursive: true });
  });
  const write = (text: string): void => appendFileSync(join(home, 'demo-journal.ndjson'), text);
  const note = (pid: number, fact: Fact): void => {
    write(`${JSON.stringify({ agent: 'lead', pid, ...fact })}\n`);
    observer.look();
  };
  return { observer, write, note };
}
