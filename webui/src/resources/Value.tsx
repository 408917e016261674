import { useTranslation } from 'react-i18next';

import type { Json } from '../api/client';
import { Identifier } from '../base/Identifier';
import { PageLink } from '../base/PageLink';
import { formatSize } from '../base/sizes';
import { formatTime } from '../base/times';
import { at, type Node, useDeclarations } from '../declarations/declarations';
import { choiceLabel } from '../declarations/labels';
import { keysOf, objectPage } from '../declarations/place';
import { usePresentation } from './presentation';
import { conditionOf, State } from './State';

/** Numbers that count nothing. */
const PORT = /(^|[._])port$/;
const IDENTIFIERS = ['uuid', 'nqn', 'iscsi_name', 'initiator', 'host_name', 'wwpn'];

/** A value of a record as its declaration says that it is to be shown. */
export function Value({ node, record, path }: { node: Node; record: Json; path: string }) {
  const { t, i18n } = useTranslation();
  const Renderer = usePresentation(path).renderers?.[node.name]?.component;
  const value = at(record, node.name);
  if (value === undefined || value === null || value === '') return <Nothing />;
  if (Renderer) return <Renderer record={record} />;
  switch (node.kind) {
    case 'reference':
      return <Referred node={node} to={value as Json} />;
    case 'references':
      return (
        <span className="references">
          {(value as Json[]).map((each, index) => (
            <Referred key={index} node={node} to={each} />
          ))}
        </span>
      );
    case 'items':
      return <Entries node={node} entries={value as Json[]} path={path} />;
    case 'size':
      return <span className="figure">{formatSize(value as number, i18n.language)}</span>;
    case 'boolean':
    case 'never':
    case 'always':
      return value ? t('yes') : t('no');
    case 'timestamp':
      return <time dateTime={String(value)}>{formatTime(String(value), i18n.language)}</time>;
    case 'integer':
      return <Numbers value={value} grouped={!PORT.test(node.name)} />;
    case 'choice':
      if (Array.isArray(value)) return value.map((each: string) => choiceLabel(t, each)).join(', ');
      return <State value={String(value)} isJob={path === 'cluster/jobs'} />;
  }
  if (IDENTIFIERS.includes(node.kind) && !Array.isArray(value))
    return <Identifier text={String(value)} />;
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return node.name.endsWith('state') && conditionOf(text) ? <State value={text} /> : text;
}

export const Nothing = () => <span className="nothing">–</span>;

function Numbers({ value, grouped }: { value: unknown; grouped: boolean }) {
  const { i18n } = useTranslation();
  const format = new Intl.NumberFormat(i18n.language, { useGrouping: grouped });
  const numbers = Array.isArray(value) ? (value as number[]) : [value as number];
  return <span className="figure">{numbers.map((each) => format.format(each)).join(', ')}</span>;
}

function Referred({ node, to }: { node: Node; to: Json }) {
  const resource = useDeclarations().find(node.to ?? '');
  const keys = resource && keysOf(resource, to);
  const text = String(to['name'] ?? to['uuid'] ?? '');
  return resource && keys ? <PageLink to={objectPage(resource, keys)}>{text}</PageLink> : text;
}

/** Entries of a list, each by its main field and the rest in words. */
function Entries({ node, entries, path }: { node: Node; entries: Json[]; path: string }) {
  const { t } = useTranslation();
  const shown = (node.items ?? []).filter(({ name }) => !name.endsWith('uuid'));
  if (!entries.length) return t('none');
  return (
    <ul className="entries">
      {entries.map((entry, index) => (
        <li key={index}>
          {shown
            .filter(({ name }) => at(entry, name) !== undefined)
            .map((child, position) => (
              <span key={child.name}>
                {position > 0 && ' · '}
                <Value node={child} record={entry} path={path} />
              </span>
            ))}
        </li>
      ))}
    </ul>
  );
}
