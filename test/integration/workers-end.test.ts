import { describe, expect, test } from 'vitest';
import type { AnswerView } from '../../src/protocol/tasks.ts';
import { hasTmux, openStation } from './fixtures/station.ts';

describe.runIf(hasTmux)('workers that end with their tasks', () => {
  test('rule 55: a worker that a handoff launched is stopped once its answer is read, and comes back for the next task', async () => {
    const station = await openStation();
    const first = await station.run(['handoff', 'scripted', 'Add up: @@say 42']);
    expect([first.code, first.stdout]).toEqual([0, '42\n']);
    const ended = await station.untilStatus('scripted-1', 'exited');
    expect(ended).toMatchObject({ detail: 'task done', endedBy: 'task', endingCode: 'ended-with-task' });
    expect((await station.run(['ls'])).stdout).toContain('1 worker ended with its task → signalbox ls --all');
    const second = await station.ask<AnswerView>('handoff', 'scripted-1', 'And again: @@say 43');
    expect(second).toMatchObject({ outcome: 'answered', message: { body: '43' } });
    const again = await station.untilStatus('scripted-1', 'exited');
    expect(again).toMatchObject({ epoch: 2, endedBy: 'task' });
  });
});
