import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  SearchBox,
  Text,
  tokens,
} from '@fluentui/react-components';
import { useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useTenant } from '../../features/tenants/index.ts';
import { useText } from '../../i18n/use-text.ts';
import { useContents } from './go-to-contents.ts';
import { useGoTo } from './go-to-targets.ts';
import type { Target } from './go-to-targets.ts';

const useStyles = makeStyles({
  list: { marginTop: tokens.spacingVerticalM, maxHeight: '50vh', overflowY: 'auto' },
  option: {
    display: 'flex',
    justifyContent: 'space-between',
    gap: tokens.spacingHorizontalM,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}`,
    borderRadius: tokens.borderRadiusMedium,
    cursor: 'pointer',
    '&[aria-selected="true"]': { backgroundColor: tokens.colorNeutralBackground1Selected },
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
  },
  label: { minWidth: 0, overflowWrap: 'anywhere' },
  group: { color: tokens.colorNeutralForeground2, flexShrink: 0, textAlign: 'end' },
});

/** Ctrl+K: any page, job, mailbox or site by a few letters of its name, and everything that is kept by its words. */
export function GoTo({ onClose }: { readonly onClose: () => void }): ReactElement {
  const text = useText();
  const styles = useStyles();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [position, setPosition] = useState(0);
  const { tenant } = useTenant();
  const tenantId = tenant?.tenantId ?? '';
  const places = useGoTo(typed, tenantId);
  const contents = useContents(tenantId, typed, !places.isSearching);
  const targets = [...places.targets, ...contents.targets];
  const isSearching = places.isSearching || contents.isSearching;
  const nothing = places.targets.length === 0 && contents.targets.length < 2 ? text('shell.goToNothing') : null;
  const wait = isSearching ? text('shell.goToSearching') : nothing;
  const choose = (target: Target | undefined): void => {
    if (target === undefined) return;
    onClose();
    void navigate(target.to);
  };
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') return choose(targets[position]);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return undefined;
    event.preventDefault();
    const next = (position + step + targets.length) % Math.max(targets.length, 1);
    document.querySelector(`#go-to-${next}`)?.scrollIntoView({ block: 'nearest' });
    return setPosition(next);
  };
  return (
    <Dialog open onOpenChange={(_event, { open }) => (open ? undefined : onClose())}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{text('shell.goTo')}</DialogTitle>
          <DialogContent>
            <SearchBox
              aria-label={text('shell.goTo')}
              placeholder={text('shell.goToHint')}
              dismiss={{ 'aria-label': text('kit.clearSearch') }}
              role="combobox"
              aria-expanded
              aria-controls="go-to-list"
              aria-activedescendant={targets.length > 0 ? `go-to-${position}` : undefined}
              value={typed}
              onChange={(_event, { value }) => {
                setTyped(value);
                setPosition(0);
              }}
              onKeyDown={handleKey}
              style={{ width: '100%', maxWidth: 'none' }}
            />
            <div id="go-to-list" role="listbox" aria-label={text('shell.goTo')} className={styles.list}>
              {targets.map((target, at) => (
                // The keys of the search field above work this list.
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- handled by the field
                <div
                  key={target.to}
                  id={`go-to-${at}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={at === position}
                  className={styles.option}
                  onClick={() => choose(target)}
                >
                  <span className={styles.label}>{target.label}</span>
                  <span className={styles.group}>{target.group}</span>
                </div>
              ))}
            </div>
            <Text role="status">{wait ?? ''}</Text>
          </DialogContent>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
