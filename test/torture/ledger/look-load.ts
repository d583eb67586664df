import type { DoctorReport } from '../../../src/protocol/doctor.ts';
import type { Ending } from '../children.ts';
import type { End, Run } from './run.ts';
import { agents, residents } from './world.ts';

/**
 * Whatever else goes on, looking never fails. Some lookers settle what is due, so they are killed
 * now and then too.
 */
export async function lookOnce(run: Run): Promise<void> {
  const id = pickAccepted(run);
  const looks: (readonly string[])[] = [
    ['ls'],
    ['inbox', 'list', run.random.pick(residents)],
    ['dead-letters', 'list', '--max', '50'],
    ...(id
      ? [
          ['explain', id],
          ['inbox', 'show', id],
        ]
      : []),
    ...(run.random.chance(0.2) ? [['doctor']] : []),
  ];
  const args = run.random.pick(looks);
  const role = args[0] ?? '';
  const end: End = run.random.chance(0.25)
    ? { by: 'kill', afterMs: run.random.between(50, 200) }
    : { by: 'itself' };
  const options = { role: `look (${role})`, input: '' };
  const ending = await run.runCli([...args, '--json'], options, end);
  if (ending.how === 'ended') judgeLook(run, args, ending);
  await run.pause(50, 250);
}

function judgeLook(run: Run, args: readonly string[], { code, stdout, stderr }: Ending): void {
  const said = `${args.join(' ')} ended with ${code}: ${stderr}`;
  // 7: something needs attention, and under this load something does.
  if (code !== 0 && !(args[0] === 'doctor' && code === 7)) run.observer.complain(said);
  try {
    JSON.parse(stdout);
  } catch {
    run.observer.complain(`${said} It printed no JSON document.`);
  }
}

/**
 * Answers for a few messages by id, taken or not: that always wins (rule 18). Repeated until it is
 * answered.
 */
export async function ackOnce(run: Run): Promise<void> {
  const owner = run.random.pick([agents.sleeper, agents.sleeper, ...agents.ordinary]);
  const candidates = run.observer.recentlyAccepted(owner);
  if (candidates.length === 0) return run.pause(100, 200);
  const ids = Array.from({ length: run.random.whole(1, 4) }, () => run.random.pick(candidates));
  const env = run.random.chance(0.5) && owner !== 'user' ? { SIGNALBOX_AGENT: owner } : {};
  const options = { role: 'ack', env, input: '' };
  for (;;) {
    const end = run.chooseEnd('ack', 'ack', { window: 0.25, kill: 0.25 });
    const ending = await run.runCli(['inbox', 'ack', ...ids, '--json'], options, end);
    run.noteHit(end, ending, 'cli');
    if (ending.how !== 'ended') continue;
    if (ending.code !== 0)
      run.observer.complain(`inbox ack ended with ${ending.code}: ${ending.stderr}`);
    for (const id of ids) run.observer.noteAck(id, ending.endedAtMs);
    break;
  }
  await run.pause(100, 400);
}

/** At the end: sound, and nothing broken. */
export async function askDoctor(run: Run): Promise<DoctorReport['ledger'] | undefined> {
  const options = { role: 'doctor', input: '' };
  const ending = await run.runCli(['doctor', '--json'], options);
  judgeLook(run, ['doctor'], ending);
  if (ending.code !== 0 && ending.code !== 7) return undefined;
  const { ledger, problems } = JSON.parse(ending.stdout) as DoctorReport;
  for (const { what } of problems) run.observer.complain(`doctor: ${what}`);
  return ledger;
}

function pickAccepted(run: Run): string | undefined {
  const ids = run.observer.recentlyAccepted(run.random.pick(residents));
  return ids.length > 0 ? run.random.pick(ids) : undefined;
}
