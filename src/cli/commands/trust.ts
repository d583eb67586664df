import type { Command } from 'commander';
import type { RevokedDocument, TrustListDocument } from '../../protocol/printed.ts';
import type { TrustView } from '../../protocol/trust.ts';
import { Fault } from '../../shared/fault.ts';
import { askToTrust } from '../ask-trust.ts';
import { describeReview, describeTrustList } from '../describe-trust.ts';
import { inLine, writeJson, writeOut } from '../output.ts';
import { example, jsonOption } from './options.ts';

interface TrustOptions {
  readonly list?: true;
  readonly revoke?: true;
  readonly json?: true;
}

export function addTrustCommand(program: Command): void {
  const command = program
    .command('trust [folder|file]')
    .description('trust a project’s profiles and lists exactly as they are now; asks about each')
    .option('--list', 'list the trusted files, and whether each is still the same')
    .option('--revoke', 'stop trusting a file, or all files of a folder');
  jsonOption(command);
  example(
    command,
    'signalbox trust',
    'signalbox trust .signalbox/profiles/tester.md',
    'signalbox trust --list',
    'signalbox trust --revoke .',
  );
  command.action(async (target: string | undefined, options: TrustOptions) => {
    if (options.list && (options.revoke || target !== undefined)) {
      throw new Fault(
        'usage',
        '--list takes no folder or file.',
        'Run `signalbox trust --list` alone.',
      );
    }
    const { openTrust } = await import('../../client/direct/trust.ts');
    const trust = await openTrust(process.env);
    if (options.list) return report(trust.list(), options);
    if (options.revoke) {
      await trust.requireUser('take trust back');
      const revoked = trust.revoke(target ?? '.');
      if (options.json) return writeJson<RevokedDocument>({ revoked });
      return writeOut(revoked.map(({ path }) => `${inLine(path)} is trusted no longer\n`).join(''));
    }
    await trust.requireConsent('trust a file');
    const files: TrustView[] = [];
    for (const reviewed of await trust.review(target ?? '.')) {
      const isOpen = reviewed.file !== undefined && reviewed.view.state !== 'trusted';
      files.push(isOpen && (await askToTrust(reviewed)) ? trust.trust(reviewed) : reviewed.view);
    }
    return report(files, options);
  });
}

function report(files: readonly TrustView[], { json, list }: TrustOptions): void {
  if (json) writeJson<TrustListDocument>({ files });
  else writeOut(list ? describeTrustList(files) : describeOutcome(files));
}

function describeOutcome(files: readonly TrustView[]): string {
  if (files.length === 0) return 'there is nothing here that signalbox would read\n';
  const lines = files.map(({ path, state }) => `${inLine(path)}  ${verdicts[state]}\n`);
  const broken = files.filter(({ state }) => state === 'broken');
  return `${lines.join('')}${broken.map(describeReview).join('')}`;
}

const verdicts = {
  trusted: 'trusted, as it is now',
  new: 'not trusted',
  changed: 'not trusted: it has changed',
  damaged: 'not trusted: its record is damaged',
  broken: 'cannot be used',
  gone: 'gone',
} as const;
