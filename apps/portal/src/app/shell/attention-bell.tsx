import {
  Button,
  CounterBadge,
  Link as FluentLink,
  makeStyles,
  mergeClasses,
  Popover,
  PopoverSurface,
  PopoverTrigger,
  Subtitle2,
  Text,
  tokens,
  Tooltip,
} from '@fluentui/react-components';
import { AlertRegular } from '@fluentui/react-icons';
import { dashboard } from '@holdfast/contract/dashboard';
import type { AttentionEntry } from '@holdfast/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useTenant } from '../../features/tenants/index.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useText } from '../../i18n/use-text.ts';
import { useAttentionName } from '../../i18n/use-attention-name.ts';
import { addresses } from '../addresses.ts';

const askAgainMs = 60_000;

const useStyles = makeStyles({
  bell: { position: 'relative' },
  // Over the bell and not beside it: nothing moves when something arrives.
  count: { position: 'absolute', top: '2px', insetInlineEnd: '2px', pointerEvents: 'none' },
  surface: { width: 'min(420px, 90vw)', maxHeight: '70vh', overflowY: 'auto' },
  list: {
    listStyleType: 'none',
    margin: `${tokens.spacingVerticalM} 0`,
    padding: 0,
    display: 'flex',
    flexDirection: 'column',
    rowGap: tokens.spacingVerticalM,
  },
  entry: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'start',
    paddingInlineStart: tokens.spacingHorizontalM,
    borderInlineStartWidth: tokens.strokeWidthThicker,
    borderInlineStartStyle: 'solid',
    borderInlineStartColor: tokens.colorPaletteMarigoldBorder2,
  },
  risk: { borderInlineStartColor: tokens.colorPaletteRedBorder2 },
});

/** The bell: how many things need somebody, and what they are, on every page. */
export function AttentionBell(): ReactElement {
  const text = useText();
  const styles = useStyles();
  const [isOpen, setOpen] = useState(false);
  const { tenant } = useTenant();
  const may = useMay('dashboard.read');
  const tenantId = tenant?.tenantId ?? '';
  const { data } = useQuery({
    ...read(dashboard.attention, { params: { tenantId }, quiet: true, background: true }),
    enabled: may && tenant !== null,
    refetchInterval: askAgainMs,
  });
  const items = data?.items ?? [];
  const words = items.length === 0 ? text('shell.attentionNone') : text('shell.attentionCount', { count: items.length });
  return (
    <Popover open={isOpen} onOpenChange={(_event, { open }) => setOpen(open)} trapFocus>
      <PopoverTrigger disableButtonEnhancement>
        <Tooltip content={words} relationship="description">
          <Button
            appearance="subtle"
            className={styles.bell}
            aria-label={items.length === 0 ? text('shell.attention') : text('shell.attentionBell', { count: items.length })}
            icon={
              <>
                <AlertRegular />
                <CounterBadge className={styles.count} count={items.length} size="small" color="danger" aria-hidden />
              </>
            }
          />
        </Tooltip>
      </PopoverTrigger>
      <PopoverSurface className={styles.surface} aria-label={text('shell.attention')}>
        <Entries items={items} onLeave={() => setOpen(false)} />
      </PopoverSurface>
    </Popover>
  );
}

function Entries({ items, onLeave }: { readonly items: readonly AttentionEntry[]; readonly onLeave: () => void }): ReactElement {
  const text = useText();
  const styles = useStyles();
  const codeText = useCodeText();
  const nameOf = useAttentionName();
  const navigate = useNavigate();
  const leave = (to: string): void => {
    onLeave();
    void navigate(to);
  };
  return (
    <>
      <Subtitle2 as="h2">{text('shell.attention')}</Subtitle2>
      {items.length === 0 && (
        <Text as="p" block>
          {text('shell.attentionNone')}
        </Text>
      )}
      <ul className={styles.list}>
        {items.map((entry) => (
          <li key={`${entry.kind} ${entry.code} ${entry.name}`} className={mergeClasses(styles.entry, entry.isRisk && styles.risk)}>
            <FluentLink as="button" onClick={() => leave(entry.link)}>
              {nameOf(entry)}
            </FluentLink>
            <Text>{codeText(entry.code)}</Text>
          </li>
        ))}
      </ul>
      <FluentLink as="button" onClick={() => leave(addresses.home)}>
        {text('shell.attentionAll')}
      </FluentLink>
    </>
  );
}
