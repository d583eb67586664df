import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import type { SendResult } from '../../src/protocol/messages.ts';
import type { RestartedDocument } from '../../src/protocol/printed.ts';
import { type LivingClaude, launchClaude, untilSeen } from './fixtures/living-claude.ts';
import { eachBackend, inPlaces } from './fixtures/places.ts';
import { openStation, type Station } from './fixtures/station.ts';

inPlaces(
  eachBackend,
  'a restart that finds no conversation to resume (rules 37, 41)',
  ({ test }, place) => {
    test('before the first turn a new conversation begins, and what waited goes in', async () => {
      const station = await openStation({ place });
      const claude = await launchClaude(station, 'worker');
      const { conversation } = await station.agent('worker');
      await station.run(['stop', 'worker']);
      const { id } = await station.ask<SendResult>('send', 'worker', 'while you were away');
      const ended = await restart(station, claude);
      expect(ended).toMatchObject({ code: 0 });
      const [agent] = ended.json<{ agents: AgentView[] }>().agents;
      expect(agent?.status).not.toBe('starting');
      expect(agent?.conversation).not.toBe(conversation);
      expect(agent?.notes?.join()).toContain('a new one was begun');
      await untilSeen(station, id);
      expect(claude.copies('while you were away')).toBe(1);
    });

    test('after a daemon that knew it has gone, too', { tags: ['full'] }, async () => {
      const station = await openStation({ place });
      const claude = await launchClaude(station, 'worker');
      await station.run(['stop', 'worker']);
      await station.run(['down']);
      expect(await restart(station, claude)).toMatchObject({ code: 0 });
    });

    test('a conversation that had a turn and is gone is not begun anew in silence: its CLI’s words, exit 1', {
      tags: ['full'],
    }, async () => {
      const station = await openStation({ place });
      const claude = await launchClaude(station, 'worker');
      const { id } = await station.ask<SendResult>('send', 'worker', 'a first message');
      await untilSeen(station, id);
      await station.run(['stop', 'worker']);
      rmSync(join(projects(claude), transcriptOf(claude)));
      const ended = await restart(station, claude);
      expect(ended.code).toBe(1);
      const { error } = ended.json<{ error: Record<string, string> }>();
      expect(error['code']).toBe('launch-failed');
      expect(error['message']).toContain('No conversation found with session ID');
      expect(error['next']).toContain('signalbox restart worker --fresh');
      expect((await station.agent('worker')).status).toBe('exited');
      expect(await restart(station, claude, '--fresh')).toMatchObject({ code: 0 });
      expect((await station.explain(id)).message.inContext).toBe(false);
    });

    test('where its records cannot be read nothing is proven: the CLI is asked to resume', {
      tags: ['full'],
    }, async () => {
      const station = await openStation({ place });
      const claude = await launchClaude(station, 'worker');
      const { conversation } = await station.agent('worker');
      await station.run(['stop', 'worker']);
      const folder = join(claude.env.CLAUDE_CONFIG_DIR, 'projects');
      renameSync(folder, `${folder}.away`);
      writeFileSync(folder, 'in the place of a folder');
      const ended = await restart(station, claude);
      expect(ended.code).toBe(1);
      expect((await station.agent('worker')).conversation).toBe(conversation);
      rmSync(folder);
      renameSync(`${folder}.away`, folder);
      expect(await restart(station, claude, '--fresh')).toMatchObject({ code: 0 });
    });

    test('restart --all goes on with the others, and sums up', { tags: ['full'] }, async () => {
      const station = await openStation({ place });
      const claude = await launchClaude(station, 'broken');
      const { id } = await station.ask<SendResult>('send', 'broken', 'a first message');
      await untilSeen(station, id);
      const { control } = await station.launch('sound');
      expect(await control.tell('@@say still here')).toBe('ok');
      for (const name of ['broken', 'sound']) {
        process.kill(await station.pid(name), 'SIGKILL');
        await station.untilStatus(name, 'exited');
      }
      rmSync(join(projects(claude), transcriptOf(claude)));
      const ended = await station.run(['restart', '--all', '--json'], { env: claude.env });
      expect(ended.code).toBe(1);
      const { agents, failed } = ended.json<{ agents: AgentView[]; failed: { name: string }[] }>();
      expect(agents.map(({ name }) => name)).toEqual(['sound']);
      expect(failed.map(({ name }) => name)).toEqual(['broken']);
      expect(ended.stderr).toContain('1 started, 1 not');
      await station.untilStatus('sound', 'idle');
    });

    test('after a reboot --all starts those that ran, and names those that somebody had stopped', async () => {
      const station = await openStation({ place });
      for (const name of ['ran', 'stopped']) await station.launch(name);
      await station.run(['stop', 'stopped']);
      const pid = await station.pid('ran');
      // The daemon goes first, as in a power cut: nobody writes the end of the agent down.
      await station.killDaemon();
      process.kill(pid, 'SIGKILL');
      const { agents, skipped } = await station.ask<RestartedDocument>('restart', '--all');
      expect(agents.map(({ name, epoch }) => [name, epoch])).toEqual([['ran', 2]]);
      expect(skipped?.map(({ name, why }) => [name, why])).toEqual([['stopped', 'it was stopped']]);
      const told = await station.run(['stop', '--all']);
      expect(told.stdout).toBe('ran stopped\n');
      await station.run(['agents', 'add', 'stopped', '--session', 'blog']);
      const { stdout } = await station.run(['restart', '--all']);
      expect(stdout).toContain('ran was left alone: it was stopped; `signalbox restart ran`');
      // Another has its name by now.
      expect(stdout).toMatch(
        /^(\S+\/stopped) was left alone: .* `signalbox restart \1` starts it$/m,
      );
      expect(await station.run(['stop', '--all'])).toMatchObject({
        code: 0,
        stdout: 'no agent was running\n',
      });
    });
  },
);

function restart(station: Station, claude: LivingClaude, ...options: readonly string[]) {
  return station.run(['restart', claude.name, ...options, '--json'], { env: claude.env });
}

function projects({ env }: LivingClaude): string {
  return join(env.CLAUDE_CONFIG_DIR, 'projects', 'srv-app');
}

function transcriptOf(claude: LivingClaude): string {
  const [file] = readdirSync(projects(claude));
  if (file === undefined) throw new Error('it has written nothing');
  return file;
}
