import { describe, expect, test } from 'vitest';
import { launchClaude } from '../integration/fixtures/living-claude.ts';
import { hasTmux } from '../integration/fixtures/station.ts';
import { openTown } from './fixtures/town.ts';

describe.skipIf(!hasTmux)('the dashboard of a real daemon', () => {
  test('a message that a command sends is followed live from queued on, and its story is as explain tells it', async () => {
    const { station, openPage } = await openTown();
    await station.launch('lead');
    await station.ask('agents', 'add', 'inbox');
    const { page, go, complaints, elsewhere } = await openPage();
    await page.getByRole('treeitem', { name: /lead.*idle/ }).waitFor();
    await go('line');
    const message = await station.send('inbox', 'split <b>the</b> checkout\u202e');
    const row = page.getByRole('option', { name: /user → inbox/ });
    await row.getByText('queued').waitFor();
    await row.click();
    const story = page.getByRole('complementary', { name: 'Message' });
    await story.getByText('split <b>the</b> checkout<U+202E>', { exact: true }).waitFor();
    await story.getByText('It waits for inbox to drain its inbox.').waitFor();
    await station.drain('inbox');
    await story.locator('.story-state').getByText('acked').waitFor();
    const { history } = await station.explain(message);
    expect(await story.locator('.moves li').count()).toBe(history.length);
    for (const { cause } of history) await story.getByText(cause).first().waitFor();
    expect(complaints).toEqual([]);
    expect(elsewhere).toEqual([]);
  });

  test('what is written in the page goes in as the user’s, and is seen to arrive; its history says where it came from', async () => {
    const { station, openPage } = await openTown();
    await station.ask('agents', 'add', 'ada');
    await station.ask('agents', 'add', 'bob');
    const { page, go } = await openPage();
    await go('compose');
    await page.getByRole('checkbox', { name: /ada/ }).check();
    await page.getByRole('checkbox', { name: /bob/ }).check();
    await page.getByRole('textbox', { name: 'Text' }).fill('hello from the page');
    await page.getByRole('button', { name: 'Send to 2' }).click();
    const sent = page.getByRole('region', { name: 'Sent from here' });
    await sent.getByText('queued').first().waitFor();
    expect(await sent.locator('li').count()).toBe(2);
    const { messages } = await station.list('ada');
    expect(messages.map(({ body, from }) => [body, from.name])).toEqual([
      ['hello from the page', 'user'],
    ]);
    const { history } = await station.explain(messages[0]?.id ?? '');
    expect(history[0]?.evidence).toBe('user, dashboard');
    await station.drain('ada');
    await sent.locator('li', { hasText: 'ada' }).getByText('acked').waitFor();
  });

  test('a killed daemon is shown, and the page goes on where it was when the next one runs', async () => {
    const { station, openPage } = await openTown();
    await station.ask('agents', 'add', 'inbox');
    const { page, go } = await openPage();
    await go('line');
    await station.killDaemon();
    await page.getByText('The daemon does not answer.').waitFor();
    // No daemon runs: the command writes to the ledger alone.
    await station.send('inbox', 'while nobody looked');
    await station.ask('up');
    await page.getByRole('option', { name: /while nobody looked/ }).waitFor();
    await expect.poll(() => page.getByText('The daemon does not answer.').count()).toBe(0);
  });

  test('a session that may only read is refused every change by the server, too', async () => {
    const { station, openPage } = await openTown();
    await station.ask('agents', 'add', 'inbox');
    const { page } = await openPage('--read-only');
    await page.getByText('read only').waitFor();
    const status = await page.evaluate(async () => {
      const [session, key] = (sessionStorage.getItem('signalbox.session') ?? '').split('\n');
      const response = await fetch('/api/messages', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${session}.${key}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ to: 'inbox', body: 'no' }),
      });
      return [response.status, ((await response.json()) as { error: { code: string } }).error.code];
    });
    expect(status).toEqual([403, 'read-only']);
    expect((await station.list('inbox')).messages).toEqual([]);
  });

  test('rule 54: a permission that an agent asks for is shown whole, and answered once by the button', async () => {
    const { station, openPage } = await openTown();
    const claude = await launchClaude(station, 'lead');
    const { page, go } = await openPage();
    await go('attention');
    await claude.asks('make \u001b[2J all');
    await page.getByText('make <U+001B>[2J all').first().waitFor();
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('It asks nothing any more.').waitFor();
    await page.mouse.move(640, 10);
    await page.getByText('Nothing needs you.').waitFor();
    expect(claude.copies('allowed make')).toBe(1);
    const { answers = [] } = await station.agent('lead');
    expect(answers[0]).toMatchObject({ decision: 'allow', outcome: 'taken', place: 'dashboard' });
  });

  test('an agent is looked at in the page: its screen, its last answer, and what it is', async () => {
    const { station, openPage } = await openTown();
    const { id, control } = await station.launch('lead');
    await control.tell('@@say <i>done</i> with it');
    const { page, go } = await openPage();
    await go(`agent/${id}`);
    const screen = page.getByRole('region', { name: 'Screen' });
    await screen.getByText('<i>done</i> with it').first().waitFor();
    const details = page.getByRole('region', { name: 'Details' });
    await details.getByText('signalbox attach default/lead').waitFor();
    await control.tell('@@say and more');
    await page.getByRole('button', { name: 'Look again' }).click();
    await screen.getByText('and more').first().waitFor();
  });

  test('an agent is stopped, started again and removed in the page', async () => {
    const { station, openPage } = await openTown();
    const { id } = await station.launch('lead');
    const { page, go } = await openPage();
    await go(`agent/${id}`);
    const press = async (name: string | RegExp): Promise<void> =>
      page.getByRole('button', { name }).click();
    await press('Stop');
    await press(/^Stop .*\?$/);
    await page.locator('.agent-head').getByText('exited').waitFor();
    await press('Restart');
    await station.untilStatus('lead', 'idle');
    await page.locator('.agent-head').getByText('idle').waitFor();
    await press('Stop');
    await press(/^Stop .*\?$/);
    await page.locator('.agent-head').getByText('exited').waitFor();
    await press('Remove');
    await press(/^Remove .*\?$/);
    await page.getByText('There are no agents.').waitFor();
  });
});
