import type { Epoch } from '../agents/epoch.ts';
import type { Ways } from '../delivery/recipient.ts';
import type { Route } from '../messages/claim.ts';
import type { WaitReason } from '../messages/wait-reason.ts';
import type { LaunchedAs } from '../providers/launch-plan.ts';
import type { Provider } from '../providers/provider.ts';
import { compareVersions } from '../shared/compare-versions.ts';

/**
 * What delivery needs to know of one life of a provider; without one, of any. `found`: why it
 * cannot be woken, as its CLI itself has said since.
 */
export function readWays(
  { capabilities, lacksNative }: Pick<Provider, 'capabilities' | 'lacksNative'>,
  life: LaunchedAs | undefined,
  found?: WaitReason,
): Ways {
  const { nativeDuring, nativeInComposer, maxBlocks, pastes, waitingHook, turnEnds } = capabilities;
  const { takesOver, prompts, pastesWithEnter, tellsSubmitted, syntax, queueOnEsc } = capabilities;
  const { entersSoonMs, showsSenders } = capabilities;
  const lack = found ?? (life && lacksNative?.(life));
  const isTooOld = isOlder(life?.version, capabilities.pastesWithEnterSince);
  const left = (routes: readonly Route[]): readonly Route[] =>
    lack === undefined ? routes : routes.filter((route) => route !== 'native');
  return {
    routes: left(capabilities.routes),
    provable: left(capabilities.provable),
    ...(lack === undefined ? {} : { lacksNative: lack }),
    nativeDuring,
    prompts: left(prompts).filter((route) => !(isTooOld && route === 'paste')),
    ...(pastesWithEnter === undefined || isTooOld ? {} : { pastesWithEnter }),
    ...(entersSoonMs === undefined ? {} : { entersSoonMs }),
    ...(tellsSubmitted === undefined ? {} : { tellsSubmitted }),
    ...(showsSenders === undefined ? {} : { showsSenders }),
    pastes: pastes ?? 'message',
    hasWaitingHook: waitingHook === true,
    ...(turnEnds === 'status' ? { showsTurnEnds: true } : {}),
    ...(queueOnEsc === undefined ? {} : { queueOnEsc }),
    ...(nativeInComposer === undefined ? {} : { nativeInComposer }),
    ...(maxBlocks === undefined ? {} : { maxBlocks }),
    ...(takesOver === undefined ? {} : { takesOver }),
    ...(syntax === undefined ? {} : { syntax }),
  };
}

function isOlder(version: string | undefined, since: string | undefined): boolean {
  return version !== undefined && since !== undefined && compareVersions(version, since) < 0;
}

/** How a life was started, as the ledger keeps it. */
export function readLaunch({
  providerVersion,
  extraArgs,
}: Pick<Epoch, 'providerVersion' | 'extraArgs'>): LaunchedAs {
  return { version: providerVersion, extraArgs };
}
