import { existsSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import type { MessageView, SendResult } from '../../src/protocol/messages.ts';
import type { AnswerView } from '../../src/protocol/tasks.ts';
import { readEnvironment } from '../../src/shared/process-tree.ts';
import { tempHome } from '../support/home.ts';
import { openRepository } from '../support/repository.ts';
import { openBox } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { startProxy } from './fixtures/proxy.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

/** Repositories with one commit each. */
function openProjects() {
  const folder = realpathSync(tempHome('projects-'));
  const [shop, blog] = ['shop', 'blog'].map((name) => {
    const repository = openRepository(join(folder, name));
    repository.write('a.txt', 'a');
    repository.commit('first');
    return repository;
  });
  if (!shop || !blog) throw new Error('both were made');
  return { folder, shop, blog };
}

async function ask<T>(box: Pick<Station, 'run'>, cwd: string, ...args: string[]): Promise<T> {
  const ended = await box.run([...args, '--json'], { cwd });
  expect([args.join(' '), ended.code, ended.json()]).toEqual([args.join(' '), 0, ended.json()]);
  return ended.json<T>();
}

describe.runIf(hasTmux)('two leads in two projects', () => {
  test('messages, tasks, answers and parents reach the right one, and nothing is shared', async () => {
    const station = await openStation();
    const { folder, shop, blog } = openProjects();
    const launch = (cwd: string, name: string, ...more: string[]) =>
      ask<AgentView>(station, cwd, 'launch', 'scripted', '--name', name, ...more);
    const inShop = await launch(shop.path, 'lead');
    const inBlog = await launch(join(blog.path, '.'), 'lead');
    expect([inShop.session, inBlog.session]).toEqual(['shop', 'blog']);
    expect(inBlog.notes).toEqual([
      'shop/lead has the same name; in the session blog "lead" means this agent',
    ]);
    for (const { id } of [inShop, inBlog]) await station.untilStatus(id, 'idle');

    // Their terminals and files are their own.
    const panes = [await station.pane(inShop.id), await station.pane(inBlog.id)];
    expect(new Set(panes.map(({ session }) => session)).size).toBe(2);
    for (const { id } of [inShop, inBlog]) {
      expect(existsSync(join(station.home, 'logs/agents', `${id}.log`))).toBe(true);
    }

    // A bare name is the project's, from a linked working tree, too.
    const linked = join(folder, 'linked');
    shop.git('worktree', 'add', '--quiet', linked);
    for (const [cwd, lead] of [
      [shop.path, inShop],
      [linked, inShop],
      [blog.path, inBlog],
    ] as const) {
      const answer = await ask<AnswerView>(station, cwd, 'handoff', 'lead', `@@say in ${cwd}`);
      expect(answer).toMatchObject({ outcome: 'answered', message: { body: `in ${cwd}` } });
      expect(answer.message?.from).toEqual({
        namesakes: true,
        id: lead.id,
        name: 'lead',
        session: lead.session,
      });
    }
    const sent = await ask<SendResult>(station, folder, 'send', 'shop/lead', '@@say full');
    expect(sent.to).toEqual({ namesakes: true, id: inShop.id, name: 'lead', session: 'shop' });
    const shown = await ask<{ message: MessageView }>(
      station,
      folder,
      'explain',
      `shop/${sent.short}`,
    );
    expect(shown.message.id).toBe(sent.id);

    // Outside of both nobody is guessed, and what ends an agent never goes by the folder.
    const said = /Several agents are named "lead": blog\/lead, shop\/lead\./;
    for (const args of [
      ['send', 'lead', 'x'],
      ['status', 'lead'],
      ['assign', 'lead', 'x'],
    ]) {
      const ended = await station.run([...args, '--json'], { cwd: folder });
      expectFault(ended, 2, 'name-ambiguous', said);
    }
    for (const verb of ['stop', 'restart', 'rm']) {
      const ended = await station.run([verb, 'lead', '--json'], { cwd: shop.path });
      expectFault(ended, 2, 'name-ambiguous', said);
    }

    // Parents, and what agents themselves call one another.
    const worker = await launch(blog.path, 'worker', '--parent', 'lead');
    expect(worker.parent).toMatchObject({ id: inBlog.id, name: 'lead', session: 'blog' });
    await station.untilStatus(worker.id, 'idle');
    const proxy = startProxy(readEnvironment(await station.pid(worker.id)) ?? {});
    await proxy.call('send_message', { to: 'lead', message: 'near' });
    await proxy.call('send_message', { to: 'shop/lead', message: 'far' });
    const bodies = async (id: string) =>
      (await station.list(id, ['queued', 'claimed', 'injected', 'seen', 'acked'])).messages.map(
        ({ body }) => body,
      );
    expect(await bodies(inBlog.id)).toContain('near');
    expect(await bodies(inShop.id)).toContain('far');
    expect(await bodies(inBlog.id)).not.toContain('far');

    // The table is this project's, with a line for the other.
    const { stdout } = await station.run(['ls'], { cwd: shop.path });
    expect(stdout).toMatch(/^shop\nlead /);
    expect(stdout).toMatch(/^blog: .*→ signalbox ls --session blog$/m);

    await ask(station, shop.path, 'stop', 'blog/lead');
    expect((await station.agent('shop/lead')).status).not.toBe('exited');
    expect((await station.agent('blog/lead')).status).toBe('exited');
    await ask(station, shop.path, 'rm', 'lead', '--session', 'blog');
    expect((await station.agent('lead')).id).toBe(inShop.id);
  });

  test('launch says in which session it put the agent, and how to reach it', async () => {
    const station = await openStation();
    const { folder, shop } = openProjects();
    const run = (cwd: string, ...more: string[]) =>
      station.run(['launch', 'scripted', '--name', 'lead', ...more], { cwd });
    const first = await run(shop.path);
    expect(first.stdout).toMatch(
      /^lead launched, session shop\n {2}see it: signalbox attach lead\n/,
    );
    const second = await run(folder);
    expect(second.stdout).toMatch(
      /^default\/lead launched, session default\n {2}see it: signalbox attach default\/lead\n/,
    );
    expect(second.stderr).toContain('shop/lead has the same name');
  });
});

describe('who asks, and where', () => {
  test('SIGNALBOX_AGENT with a name of several is refused, never guessed', async () => {
    const box = await openBox();
    const { shop, blog, folder } = openProjects();
    const one = await ask<AgentView>(box, shop.path, 'agents', 'add', 'lead');
    await ask<AgentView>(box, blog.path, 'agents', 'add', 'lead');
    for (const cwd of [folder, shop.path]) {
      const ended = await box.runAs('lead', ['inbox', 'list', '--json'], { cwd });
      expectFault(ended, 2, 'name-ambiguous', /SIGNALBOX_AGENT does not name one agent: Several/);
    }
    for (const name of ['shop/lead', one.id]) {
      const listed = await box.runAs(name, ['status', 'self', '--json'], { cwd: blog.path });
      expect(listed.json<AgentView>().id).toBe(one.id);
    }
    // A process above whose environment names several is not the user's either.
    const wrapped = await box.run(['send', 'user', 'x', '--json'], {
      env: { SIGNALBOX_AGENT: 'lead' },
      wrapper: ['sh', '-c', 'env -u SIGNALBOX_AGENT "$@"; exit $?', 'sh'],
    });
    expectFault(wrapped, 2, 'name-ambiguous', /Several agents are named "lead"/);
  });

  test('an agent adds to its own session wherever it stands; run-task and the user to the project’s', async () => {
    const box = await openBox('lead');
    const { shop } = openProjects();
    const child = await box.runAs('lead', ['agents', 'add', 'child', '--json'], { cwd: shop.path });
    expect(child.json<AgentView>().session).toBe('default');
    await box.run(['run-task', '--', 'true'], { cwd: shop.path });
    const { messages } = await box.list('user');
    expect(messages.map(({ from }) => `${from.session}/${from.name}`)).toEqual(['shop/true']);
  });

  test('a folder that is gone, and a GIT_DIR of whoever asks, choose nobody', async () => {
    const box = await openBox();
    const { shop, blog, folder } = openProjects();
    const inShop = await ask<AgentView>(box, shop.path, 'agents', 'add', 'lead');
    await ask<AgentView>(box, blog.path, 'agents', 'add', 'lead');
    const env = { GIT_DIR: join(shop.path, '.git'), GIT_WORK_TREE: shop.path };
    const led = await box.run(['send', 'lead', 'x', '--json'], { cwd: folder, env });
    expectFault(led, 2, 'name-ambiguous', /blog\/lead, shop\/lead/);
    const near = await box.run(['send', 'lead', 'x', '--json'], { cwd: shop.path, env });
    expect(near.json<SendResult>().to.id).toBe(inShop.id);
    rmSync(join(shop.path, '.git'), { recursive: true });
    const gone = await box.run(['send', 'lead', 'x', '--json'], { cwd: shop.path });
    expectFault(gone, 2, 'name-ambiguous', /blog\/lead, shop\/lead/);
    const lost = await box.run(['send', 'lead', 'x', '--json'], {
      cwd: shop.path,
      wrapper: ['sh', '-c', `rm -r '${shop.path}'; exec "$@"`, 'sh'],
    });
    expectFault(lost, 2, 'name-ambiguous', /blog\/lead, shop\/lead/);
  });
});
