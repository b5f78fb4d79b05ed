import { Button, Dropdown, Field, Option, Subtitle2 } from '@fluentui/react-components';
import type { KeptVersion, ManagedNode } from '@holdfast/contract/compliance-values';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Row, Stack } from '../../ui/layout.tsx';
import { useComparison, WordDifferences, type ComparedItem, type Comparison } from '../content/index.ts';
import type { SitePlace } from './folder-address.ts';

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
  const compare = useComparison(sideOf(place, node, versions[older]), sideOf(place, node, versions[newer]));
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
      {found !== null && <WordDifferences found={found} label={text('compliance.compareTitle')} />}
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

/** The version that is compared: the item itself, or an earlier version that it keeps. */
function sideOf(place: SitePlace, node: ManagedNode, version: KeptVersion | undefined): ComparedItem {
  const of = { place: { ...place, nodeId: node.nodeId, sequence: version?.sequence ?? node.sequence } };
  return version === undefined || version.isWhole ? of : { ...of, version: version.label };
}
