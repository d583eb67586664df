import type { Ways } from '../delivery/recipient.ts';
import type { Provider } from '../providers/provider.ts';

/** What delivery needs to know of a provider. */
export function readWays({ capabilities }: Pick<Provider, 'capabilities'>): Ways {
  const {
    routes,
    provable,
    nativeDuring,
    queueOnEsc,
    nativeInComposer,
    maxBlocks,
    pastes,
    waitingHook,
  } = capabilities;
  const { takesOver, prompts, pastesWithEnter } = capabilities;
  return {
    routes,
    provable,
    nativeDuring,
    prompts,
    ...(pastesWithEnter === undefined ? {} : { pastesWithEnter }),
    pastes: pastes ?? 'message',
    hasWaitingHook: waitingHook === true,
    ...(queueOnEsc === undefined ? {} : { queueOnEsc }),
    ...(nativeInComposer === undefined ? {} : { nativeInComposer }),
    ...(maxBlocks === undefined ? {} : { maxBlocks }),
    ...(takesOver === undefined ? {} : { takesOver }),
  };
}
