import { Button, Dropdown, Field, makeStyles, Option, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { compliance } from '@holdfast/contract/compliance';
import type { KeptVersion, ManagedNode, WordPart } from '@holdfast/contract/compliance-values';
import type { ResponseOf } from '@holdfast/contract/route';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { messageOf } from '../../api/failures.ts';
import { usePortal } from '../../api/portal-context.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Row, Stack } from '../../ui/layout.tsx';
import { useTicket } from '../content/index.ts';
import type { SitePlace } from './folder-address.ts';

type Comparison = ResponseOf<typeof compliance.compare>;

const useStyles = makeStyles({
  text: {
    maxHeight: '420px',
    overflowY: 'auto',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    padding: tokens.spacingHorizontalM,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
  },
  added: { backgroundColor: tokens.colorPaletteGreenBackground2, color: tokens.colorPaletteGreenForeground2, textDecorationLine: 'none' },
  removed: { backgroundColor: tokens.colorPaletteRedBackground2, color: tokens.colorPaletteRedForeground2 },
});

interface CompareVersionsProps {
  readonly place: SitePlace;
  readonly node: ManagedNode;
  /** The newest first; two at least. */
  readonly versions: readonly KeptVersion[];
  readonly reason: string;
  readonly isLocked: boolean;
}

/** Two versions of a file beside each other, word by word. Opening them is logged with the reason, each by itself. */
export function CompareVersions({ place, node, versions, reason, isLocked }: CompareVersionsProps): ReactElement {
  const text = useText();
  const [older, setOlder] = useState(1);
  const [newer, setNewer] = useState(0);
  const [found, setFound] = useState<Comparison | null>(null);
  const compare = useComparison(place, node, [versions[older], versions[newer]]);
  const isSame = older === newer;
  const choose = (set: (index: number) => void) => (index: number) => {
    set(index);
    setFound(null);
  };
  return (
    <Stack>
      <Subtitle2 as="h3">{text('compliance.compareTitle')}</Subtitle2>
      <Row>
        <VersionChoice label={text('compliance.olderVersion')} versions={versions} chosen={older} onChoose={choose(setOlder)} />
        <VersionChoice label={text('compliance.newerVersion')} versions={versions} chosen={newer} onChoose={choose(setNewer)} />
        <Button disabledFocusable={isLocked || isSame || compare.isPending} onClick={() => void compare.run(reason).then(setFound)}>
          {text('compliance.compare')}
        </Button>
      </Row>
      {found !== null && <Differences found={found} />}
    </Stack>
  );
}

interface VersionChoiceProps {
  readonly label: string;
  readonly versions: readonly KeptVersion[];
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
}

function VersionChoice({ label, versions, chosen, onChoose }: VersionChoiceProps): ReactElement {
  const format = useFormat();
  const nameOf = (version: KeptVersion | undefined): string =>
    version === undefined ? '' : `${version.label}, ${format.dateTime(version.modifiedAt ?? version.pointAt)}`;
  return (
    <Field label={label}>
      <Dropdown
        value={nameOf(versions[chosen])}
        selectedOptions={[String(chosen)]}
        onOptionSelect={(_event, { optionValue }) => onChoose(Number(optionValue))}
      >
        {versions.map((version, index) => (
          <Option key={`${version.label} ${version.sequence}`} value={String(index)}>
            {nameOf(version)}
          </Option>
        ))}
      </Dropdown>
    </Field>
  );
}

/** Opens both versions and asks for what differs; null when it was refused, which is told in a message. */
function useComparison(place: SitePlace, node: ManagedNode, [older, newer]: readonly (KeptVersion | undefined)[]) {
  const { client, toasts, languages } = usePortal();
  const [isPending, setPending] = useState(false);
  const ofOlder = useTicket({ ...place, nodeId: node.nodeId, sequence: older?.sequence ?? node.sequence });
  const ofNewer = useTicket({ ...place, nodeId: node.nodeId, sequence: newer?.sequence ?? node.sequence });
  const sideOf = (ticket: string, version: KeptVersion | undefined) =>
    version === undefined || version.isWhole ? { ticket } : { ticket, version: version.label };
  const run = async (reason: string): Promise<Comparison | null> => {
    setPending(true);
    try {
      const one = await ofOlder.open(reason, (ticket) => Promise.resolve(ticket));
      const other = one === null ? null : await ofNewer.open(reason, (ticket) => Promise.resolve(ticket));
      if (one === null || other === null) return null;
      const body = { older: sideOf(one, older), newer: sideOf(other, newer) };
      return await client.send(compliance.compare, { params: { tenantId: place.tenantId }, body, quiet: true });
    } catch (error) {
      toasts.show('error', messageOf(error, languages.text, languages.current()));
      return null;
    } finally {
      setPending(false);
    }
  };
  return { isPending, run };
}

function Differences({ found: { parts, isCut } }: { readonly found: Comparison }): ReactElement {
  const text = useText();
  const styles = useStyles();
  return (
    <>
      {parts.every(({ change }) => change === 'same') && <Text role="status">{text('compliance.noDifference')}</Text>}
      {isCut && <Text role="status">{text('compliance.comparedCut')}</Text>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard */}
      <div className={styles.text} role="region" aria-label={text('compliance.compareTitle')} tabIndex={0}>
        {parts.map((part, index) => (
          <Part key={index} part={part} />
        ))}
      </div>
    </>
  );
}

function Part({ part: { change, text } }: { readonly part: WordPart }): ReactElement {
  const styles = useStyles();
  if (change === 'added') return <ins className={styles.added}>{text}</ins>;
  return change === 'removed' ? <del className={styles.removed}>{text}</del> : <>{text}</>;
}
