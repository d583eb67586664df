import { expect } from 'vitest';
import type { Epoch } from '../../src/agents/epoch.ts';
import { contract } from './world.ts';

contract('the lives of agents', (check) => {
  check(
    'what a restart needs is found again, the end is kept once, and ended ones are no longer open',
    async (world) => {
      const worker = await world.add('worker');
      const first = life(worker.id, 1);
      await world.ledger.write((tx) => tx.epochs.insert(first));
      const place = { server: 's', pane: '%1', pid: 7, startedAt: '9' };
      const terminal = JSON.stringify({ agent: worker.id, epoch: 1, ...place });
      await world.ledger.write((tx) => tx.epochs.setTerminal(worker.id, 1, terminal));
      await world.ledger.write((tx) => tx.epochs.setConversation(worker.id, 1, 'abc'));
      const known = { ...first, terminal, conversation: 'abc' };
      expect(await world.ledger.read((tx) => tx.epochs.find(worker.id, 1))).toEqual(known);
      expect(await world.ledger.read((tx) => tx.epochs.findByTokenHash('hash-1'))).toEqual(known);
      expect(await world.ledger.read((tx) => tx.epochs.listOpen())).toEqual([known]);

      const end = { at: 7, cause: 'exit', exitCode: 3 };
      expect(await world.ledger.write((tx) => tx.epochs.end(worker.id, 1, end))).toBe(true);
      const later = { at: 9, cause: 'terminal-gone' };
      expect(await world.ledger.write((tx) => tx.epochs.end(worker.id, 1, later))).toBe(false);
      expect(await world.ledger.read((tx) => tx.epochs.find(worker.id, 1))).toEqual({
        ...known,
        endedAt: 7,
        endCause: 'exit',
        exitCode: 3,
      });
      expect(await world.ledger.read((tx) => tx.epochs.listOpen())).toEqual([]);
    },
  );

  check(
    'a port that another program held loses the tools of those that run with it, once',
    async (world) => {
      const lives = [
        { ...life((await world.add('far')).id, 1), tokenHash: 'far', toolsPort: 4000 },
        { ...life((await world.add('other')).id, 1), tokenHash: 'other', toolsPort: 4001 },
        { ...life((await world.add('near')).id, 1), tokenHash: 'near' },
        { ...life((await world.add('ended')).id, 1), tokenHash: 'ended', toolsPort: 4000 },
      ];
      await world.ledger.write(async (tx) => {
        for (const one of lives) await tx.epochs.insert(one);
        await tx.epochs.end(lives[3]?.agent ?? '', 1, { at: 1, cause: 'exit' });
      });
      expect(await world.ledger.write((tx) => tx.epochs.loseTools(4000, 5))).toBe(1);
      expect(await world.ledger.write((tx) => tx.epochs.loseTools(4000, 9))).toBe(0);
      const found = await world.ledger.read((tx) =>
        Promise.all(lives.map(({ tokenHash }) => tx.epochs.findByTokenHash(tokenHash))),
      );
      expect(found.map((one) => [one?.toolsPort, one?.toolsLostAt])).toEqual([
        [4000, 5],
        [4001, undefined],
        [undefined, undefined],
        [4000, undefined],
      ]);
    },
  );

  check('a status replaces the one before, its detail included', async (world) => {
    const { id } = await world.add('worker');
    const waiting = {
      status: 'waiting',
      detail: 'permission',
      source: 'screen',
      since: 5,
    } as const;
    await world.ledger.write((tx) => tx.agents.setStatus(id, waiting));
    expect(await world.ledger.read((tx) => tx.agents.find(id))).toMatchObject(waiting);
    const idle = { status: 'idle', source: 'state', since: 6 } as const;
    await world.ledger.write((tx) => tx.agents.setStatus(id, idle));
    const found = await world.ledger.read((tx) => tx.agents.find(id));
    expect(found).toMatchObject(idle);
    expect(found?.detail).toBeUndefined();
  });
});

function life(agent: string, epoch: number): Epoch {
  return {
    agent,
    epoch,
    backend: 'tmux',
    provider: 'generic',
    argv: ['prog', 'a b'],
    extraArgs: ['a b'],
    umask: 0o027,
    tokenHash: `hash-${epoch}`,
    startedAt: 1,
  };
}
