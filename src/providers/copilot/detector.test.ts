import { expect, test } from 'vitest';
import { tempHome } from '../../../test/support/home.ts';
import { openProviderShelf } from '../registry.ts';

const rule = '─'.repeat(120);

/** As Copilot CLI 1.0.102 draws it at rest, 120 columns wide. */
function screen(...said: readonly string[]) {
  const lines = [
    ...[' ❯ @@play a tool', '', ...said, '', ' /srv/app', rule, '❯', rule],
    ' ← open sidebar · Interactive · Manual Approval · / commands · ? help · tab next tab',
  ];
  return { lines, cursor: { x: 2, y: lines.lastIndexOf('❯') } };
}

test('rule 42: a question about a tool that a person left with Esc is no failure of the API, after which messages wait 30 s', async () => {
  const home = tempHome();
  const shelf = openProviderShelf({ config: home, state: home });
  const detect = await shelf.detector({ name: 'copilot' }, '1.0.102');
  const aborted = [
    ' ✗ Shell lab command Operation aborted by user',
    '   touch never.txt',
    '   Approval check',
    '     └ - Confirmation cancelled for shell command (touch)',
  ];
  expect(detect(screen(...aborted))).toMatchObject({ status: 'idle', composer: 'empty' });
  expect(detect(screen(' ✗ Execution failed: 500'))).toMatchObject({ status: 'error' });
  // What failed later is not hidden by it.
  const both = screen(...aborted, '', ' ❯ and again', '', ' ✗ Execution failed: 500');
  expect(detect(both)).toMatchObject({ status: 'error' });
});
