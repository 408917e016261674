import './hosts.css';

import {
  Button,
  EmptyState,
  EmptyStateBody,
  ToggleGroup,
  ToggleGroupItem,
} from '@patternfly/react-core';
import DownloadIcon from '@patternfly/react-icons/dist/esm/icons/download-icon';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { useParameters } from '../../base/address';
import { ListFailure } from '../../base/Failure';
import { Loading } from '../../base/Loading';
import { NothingMatches } from '../../base/NothingMatches';
import { PageHead } from '../../base/PageHead';
import { useDeclarations } from '../../declarations/declarations';
import { choiceLabel } from '../../declarations/labels';
import { locate } from '../../declarations/place';
import { columnsOf, defaultColumns } from '../../resources/list/columns';
import { csv, download } from '../../resources/list/csv';
import { List } from '../../resources/list/List';
import { everything, HOST, SEARCH, VIEW } from '../../resources/list/query';
import { Search } from '../../resources/list/Search';
import { usePresentation } from '../../resources/presentation';
import { useMayRead } from '../../session/useSession';
import { HostList } from './HostList';
import { PathDrawing } from './PathDrawing';
import { hostsQuery, refusedQuery } from './queries';
import { type Host, keyOf, PATHS, REFUSED } from './records';
import { RefusedHosts } from './RefusedHosts';

const STATES = ['lost', 'degraded', 'not_served', 'never', 'connected'];
/** Parameters of the address. Those that the table knows too have the names of the array's filters. */
const SVM = 'svm.name';
const STATE = 'state';
const TABLE = 'table';

/** From each host by its LIFs to LUNs and namespaces: drawn for one host, or as a table of all paths. */
export default function HostsPage() {
  const { t } = useTranslation();
  const [parameters, change] = useParameters();
  const mayRead = useMayRead();
  const place = locate(useDeclarations(), `/${PATHS}`)!;
  const isTable = parameters.get(VIEW) === TABLE;
  const { data: refused } = useQuery({ ...refusedQuery, enabled: mayRead(REFUSED) });
  const view = (name: string) => ({
    isSelected: isTable === (name === TABLE),
    // A host may be in a state that no path is in.
    onChange: () => change({ [VIEW]: name, [STATE]: '', [HOST]: '' }),
  });
  return (
    <div className="page">
      <PageHead
        title={t('Hosts and paths')}
        help={t('Which host reaches what, by which network interface, and which paths are broken.')}
      >
        <ToggleGroup isCompact aria-label={t('View')}>
          <ToggleGroupItem text={t('Drawing')} buttonId="view-drawing" {...view('')} />
          <ToggleGroupItem text={t('Table')} buttonId="view-table" {...view(TABLE)} />
        </ToggleGroup>
      </PageHead>
      {isTable ? <List place={place} /> : <Drawn />}
      {Boolean(refused?.length) && <RefusedHosts refused={refused!} />}
    </div>
  );
}

/** The hosts beside the drawing of the chosen one. */
function Drawn() {
  const { t } = useTranslation();
  const [parameters, change] = useParameters();
  const { data, isPending, isError, error, dataUpdatedAt, refetch } = useQuery(hostsQuery);
  const all = data ?? [];
  const hosts = all.filter((host) => fits(host, parameters));
  const chosen = hosts.find((host) => keyOf(host) === parameters.get(HOST)) ?? hosts[0];
  const svms = [...new Set(all.map(({ svm }) => svm.name))].sort();
  const clear = () => change({ [SEARCH]: '', [SVM]: '', [STATE]: '' });
  return (
    <>
      <HostTools
        svms={svms}
        count={hosts.length}
        text={parameters.get(SEARCH) ?? ''}
        svm={parameters.get(SVM) ?? ''}
        state={parameters.get(STATE) ?? ''}
        onChange={change}
      />
      {isError && (
        <ListFailure error={error} onRetry={() => void refetch()} time={data ? dataUpdatedAt : 0} />
      )}
      {isPending && <Loading />}
      {chosen && (
        <div className={`hosts-beside${isError ? ' is-stale' : ''}`}>
          <HostList
            hosts={hosts}
            chosen={chosen}
            onChoose={(host) => change({ [HOST]: keyOf(host) })}
          />
          <PathDrawing host={chosen} key={keyOf(chosen)} />
        </div>
      )}
      {data && !all.length && (
        <EmptyState headingLevel="h2" titleText={t('No hosts yet')} variant="sm">
          <EmptyStateBody>
            {t('Hosts are here once an igroup or a subsystem names them.')}
          </EmptyStateBody>
        </EmptyState>
      )}
      {all.length > 0 && !hosts.length && <NothingMatches onClear={clear} />}
    </>
  );
}

function fits(host: Host, parameters: URLSearchParams): boolean {
  const text = (parameters.get(SEARCH) ?? '').toLowerCase();
  const [svm, state] = [parameters.get(SVM), parameters.get(STATE)];
  const names = [host.name, host.initiator.name, ...(host.addresses ?? [])];
  return (
    (!text || names.some((name) => name.toLowerCase().includes(text))) &&
    (!svm || host.svm.name === svm) &&
    (!state || host.state === state)
  );
}

function HostTools(props: {
  svms: readonly string[];
  count: number;
  text: string;
  svm: string;
  state: string;
  onChange: (changes: Record<string, string>) => void;
}) {
  const { t, i18n } = useTranslation();
  const place = locate(useDeclarations(), `/${PATHS}`)!;
  const presentation = usePresentation(PATHS);
  async function save() {
    const columns = columnsOf(
      t,
      place.resource,
      presentation,
      defaultColumns(place.resource, presentation),
    );
    const fields = [...new Set(columns.flatMap((column) => column.fields))].join(',');
    const query = { fields, ...(props.svm && { [SVM]: props.svm }) };
    download('paths.csv', csv(columns, await everything(place, query)));
  }
  return (
    <div className="tools" role="group" aria-label={t('Tools of the list')}>
      <div className="tools-line">
        <Search
          label={t('Filter hosts')}
          text={props.text}
          onChange={(text) => props.onChange({ [SEARCH]: text })}
        />
        <Select
          label={t('SVM')}
          value={props.svm}
          choices={props.svms.map((name) => [name, name])}
          onChange={(name) => props.onChange({ [SVM]: name })}
        />
        <Select
          label={t('State')}
          value={props.state}
          choices={STATES.map((state) => [state, choiceLabel(t, state)])}
          onChange={(state) => props.onChange({ [STATE]: state })}
        />
        <span className="tools-count" role="status">
          {t('{{total}} in all', {
            total: new Intl.NumberFormat(i18n.language).format(props.count),
          })}
        </span>
        <span className="tools-end">
          <Button
            variant="plain"
            aria-label={t('Save as CSV')}
            title={t('Save as CSV')}
            icon={<DownloadIcon />}
            onClick={() => void save()}
          />
        </span>
      </div>
    </div>
  );
}

function Select(props: {
  label: string;
  value: string;
  choices: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <label className="hosts-select">
      <span>{props.label}</span>
      <select value={props.value} onChange={(event) => props.onChange(event.target.value)}>
        <option value="">{t('All')}</option>
        {props.choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
