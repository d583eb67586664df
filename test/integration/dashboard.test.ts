import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DashboardView, PageSnapshot, SignedIn } from '../../src/protocol/page.ts';
import { openDaemonBox } from '../support/daemon.ts';
import { bearer, FeedReader, newNonce, proofOf } from '../support/page.ts';
import { openPerson } from '../support/person.ts';
import { hasTmux } from './fixtures/station.ts';

async function openTown(...args: readonly string[]) {
  const box = openDaemonBox();
  await box.ask('agents', 'add', 'inbox');
  const person = await openPerson(box.home);
  const file = join(box.home, 'link.json');
  /** The user runs it, at a terminal. */
  const openDashboard = async () => {
    const shown = await person.shell(`$SB dashboard --json ${args.join(' ')} > ${file}`);
    expect([shown.screen, shown.code]).toEqual([expect.any(String), 0]);
    const view = JSON.parse(readFileSync(file, 'utf8')) as DashboardView;
    const { origin, hash } = new URL(view.url);
    return { ...view, origin, link: hash.slice('#link='.length) };
  };
  return { box, person, openDashboard };
}

function post<T>(origin: string, path: string, body: unknown, headers = {}): Promise<T> {
  return fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, ...headers },
    body: JSON.stringify(body),
  }).then((response) => response.json() as Promise<T>);
}

const signIn = (origin: string, link: string) =>
  post<SignedIn>(origin, '/page/sign-in', { link, nonce: newNonce() });

describe.skipIf(!hasTmux)('signalbox dashboard', () => {
  test('rules 52, 54: the user at a terminal is given a link; a script, an agent and what a coding CLI starts are refused and learn nothing', async () => {
    const { box, person, openDashboard } = await openTown();
    const page = join(box.home, 'page.json');
    const others = [
      await box.run(['dashboard', '--json']),
      await box.run(['dashboard', '--read-only']),
      await box.runAs('inbox', ['dashboard', '--open']),
    ];
    for (const { code, stdout, stderr } of others) {
      expect([code, stderr]).toEqual([5, expect.stringMatching(/Only the user may open the dash/)]);
      expect(stdout).not.toContain('link');
    }
    const marked = await person.type(['dashboard'], [], { env: { CLAUDECODE: '1' } });
    expect([marked.code, marked.screen]).toEqual([5, expect.stringContaining('CLAUDECODE')]);
    expect([marked.screen.includes('#link='), existsSync(page)]).toEqual([false, false]);
    const { origin, link } = await openDashboard();
    const signedIn = await signIn(origin, link);
    const response = await fetch(`${origin}/api/snapshot`, { headers: bearer(signedIn) });
    const snapshot = (await response.json()) as PageSnapshot;
    expect(snapshot.agents.map(({ name }) => name).toSorted()).toEqual(['inbox', 'user']);
    const line = `PATH=${box.home}/none $SB dashboard --read-only --open`;
    const shown = await person.shell(line);
    expect(shown.screen).toContain(`ssh -L ${new URL(origin).port}:127.0.0.1:`);
    expect(shown.screen).toMatch(/There is no (xdg-)?open here/);
  });

  test('rule 54: nobody is asked to trust the daemon after its death: it proves the session, and the feed goes on where it was, with what commands did meanwhile', async () => {
    const { box, openDashboard } = await openTown();
    const { origin, link } = await openDashboard();
    const signedIn = await signIn(origin, link);
    const first = await box.send('inbox', 'before');
    const before = await fetch(`${origin}/api/snapshot`, { headers: bearer(signedIn) });
    const { cursor, messages } = (await before.json()) as PageSnapshot;
    expect(messages.map(({ id }) => id)).toEqual([first]);
    await box.kill(box.info().pid);
    await expect(fetch(`${origin}/`)).rejects.toThrow();
    // No daemon runs: the command writes to the ledger and nowhere else.
    const meanwhile = await box.send('inbox', 'meanwhile');
    await box.drain('inbox');
    await box.ask('up');
    const nonce = newNonce();
    const { session } = signedIn;
    const { proof } = await post<{ proof: string }>(origin, '/page/prove', { session, nonce });
    expect(proof).toBe(proofOf(signedIn.key, nonce));
    const url = `${origin}/api/feed?after=${cursor}`;
    const feed = new FeedReader(await fetch(url, { headers: bearer(signedIn) }));
    onTestFinished(() => feed.close());
    // In the order of their first changes.
    expect((await feed.message(meanwhile)).message.state).toBe('acked');
    expect((await feed.message(first)).message.state).toBe('acked');
    const later = await box.send('inbox', 'later');
    expect((await feed.message(later)).message.first).toBe('later');
    // The environment for launches was in the memory of the daemon that died.
    const wish = { provider: 'generic', cwd: '/' };
    const refused = await post<{ error: { code: string; next: string } }>(
      ...([origin, '/api/agents', wish, bearer(signedIn)] as const),
    );
    expect(refused.error).toMatchObject({ code: 'no-environment' });
    expect(refused.error.next).toMatch(/signalbox dashboard/);
  });

  test('a damaged file of sessions is no reason to fail: its windows sign in anew', async () => {
    const { box, openDashboard } = await openTown();
    const { origin, link } = await openDashboard();
    const signedIn = await signIn(origin, link);
    await box.kill(box.info().pid);
    writeFileSync(join(box.home, 'page.json'), '{"form":1,"sessions":[{"id":');
    const again = await openDashboard();
    const headers = bearer(signedIn);
    expect((await fetch(`${again.origin}/api/snapshot`, { headers })).status).toBe(401);
    expect((await signIn(again.origin, again.link)).readOnly).toBe(false);
  });
});
