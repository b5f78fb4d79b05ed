import { createContext, use, useEffect, useId, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { NavigationType, useBeforeUnload, useBlocker } from 'react-router';
import type { BlockerFunction } from 'react-router';
import { usePortal } from '../api/portal-context.ts';
import { useText } from '../i18n/use-text.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface Entries {
  /** The drawer or dialog that they stand in; null for the page itself. */
  readonly place: string | null;
  readonly onDiscard: (() => void) | undefined;
}

/** A drawer or a dialog that entries may stand in. */
interface Place {
  readonly id: string;
  /** Goes on at once, or after the reader has given up what was entered here. */
  readonly leave: (go: () => void) => void;
}

const PageContext = createContext<Map<string, Entries> | null>(null);
export const PlaceContext = createContext<Place | null>(null);

/** Says that something was entered here that leaving would lose; `onDiscard` when it is given up. */
export function UnsavedEntries({ when, onDiscard }: { readonly when: boolean; readonly onDiscard?: () => void }): null {
  const id = useId();
  const page = use(PageContext);
  const place = use(PlaceContext)?.id ?? null;
  useEffect(() => {
    if (!when || page === null) return undefined;
    page.set(id, { place, onDiscard });
    return () => void page.delete(id);
  }, [when, page, place, id, onDiscard]);
  return null;
}

const above = (pathname: string): string => pathname.slice(0, pathname.lastIndexOf('/'));

/**
 * A drawer has an address below that of its page. Saving leads up, or from the form of something new to its details;
 * every other move is the reader's wish.
 */
function isAfterSaving({ historyAction, currentLocation, nextLocation }: Parameters<BlockerFunction>[0]): boolean {
  const [from, to] = [currentLocation.pathname, nextLocation.pathname];
  return historyAction !== NavigationType.Pop && (from.startsWith(`${to}/`) || (from.endsWith('/new') && above(from) === above(to)));
}

/** Asks before a page is left with entries, its own or those of what is open over it. */
export function GuardedPage({ children }: { readonly children: ReactNode }): ReactElement {
  const { signIn } = usePortal();
  const [page] = useState(() => new Map<string, Entries>());
  const blocker = useBlocker((move) => {
    // Who is signed out by the clock must not stay for a question.
    if (move.currentLocation.pathname === move.nextLocation.pathname || !signIn.state.get().isAuthenticated) return false;
    return [...page.values()].some(({ place }) => place === null || !isAfterSaving(move));
  });
  useBeforeUnload((event) => {
    if (page.size > 0) event.preventDefault();
  });
  return (
    <PageContext value={page}>
      {children}
      {blocker.state === 'blocked' && (
        <DiscardDialog entries={[...page.values()]} onDiscard={() => blocker.proceed()} onClose={() => blocker.reset()} />
      )}
    </PageContext>
  );
}

/** Where entries of a drawer or a dialog stand: `leave` asks first when there are some. Render the question inside. */
export function usePlace(): { readonly place: Place; readonly question: ReactElement | null } {
  const id = useId();
  const page = use(PageContext);
  const [asked, setAsked] = useState<{ readonly go: () => void } | null>(null);
  const entriesHere = (): readonly Entries[] => [...(page?.values() ?? [])].filter((entries) => entries.place === id);
  const question = asked !== null && (
    <DiscardDialog
      entries={entriesHere()}
      onDiscard={() => {
        setAsked(null);
        asked.go();
      }}
      onClose={() => setAsked(null)}
    />
  );
  return {
    place: { id, leave: (go) => (entriesHere().length === 0 ? go() : setAsked({ go })) },
    question: question || null,
  };
}

/** The way out of the drawer or dialog around; at once where there is none. */
export function useLeave(): Place['leave'] {
  return use(PlaceContext)?.leave ?? ((go) => go());
}

interface DiscardDialogProps {
  readonly entries: readonly Entries[];
  readonly onDiscard: () => void;
  readonly onClose: () => void;
}

function DiscardDialog({ entries, onDiscard, onClose }: DiscardDialogProps): ReactElement {
  const text = useText();
  return (
    <ConfirmDialog
      title={text('kit.discardTitle')}
      text={text('kit.discardText')}
      button={text('kit.discard')}
      cancel={text('kit.keepEditing')}
      destructive
      onConfirm={() => {
        for (const one of entries) one.onDiscard?.();
        onDiscard();
      }}
      onClose={onClose}
    />
  );
}
