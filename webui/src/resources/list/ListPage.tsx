import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { call, type Json } from '../../api/client';
import { useParameters } from '../../base/address';
import { ListFailure } from '../../base/Failure';
import { Loading } from '../../base/Loading';
import { PageHead } from '../../base/PageHead';
import { isBelow } from '../../declarations/declarations';
import { resourceTitle } from '../../declarations/labels';
import type { Place } from '../../declarations/place';
import { DeleteDialog } from '../action/DeleteDialog';
import { CreateButton } from '../CreateButton';
import { ObjectFrame } from '../detail/ObjectFrame';
import { EmptyList } from '../EmptyList';
import { usePresentation } from '../presentation';
import { columnsOf, defaultColumns } from './columns';
import { csv, download } from './csv';
import { AS_LIST, everything, filtersOf, COLUMNS, listQuery, ORDER, SEARCH, VIEW } from './query';
import { Table } from './Table';
import { Tools } from './Tools';
import { useFreshRows } from './useFreshRows';
import { ViewSwitch } from './ViewSwitch';

/** A collection, by itself or below the object that it belongs to. */
export function ListPage({ place }: { place: Place }) {
  const { t } = useTranslation();
  const [parameters] = useParameters();
  const { resource } = place;
  const { drawing, charts: Charts } = usePresentation(resource.path);
  const asList =
    !drawing ||
    parameters.get(VIEW) === AS_LIST ||
    parameters.has(SEARCH) ||
    filtersOf(parameters).length > 0;
  if (!isBelow(resource))
    return (
      <div className="page">
        <PageHead title={resourceTitle(t, resource.path)} help={resource.doc}>
          {drawing && <ViewSwitch title={drawing.title} asList={asList} />}
          <CreateButton place={place} />
        </PageHead>
        {asList ? <List place={place} /> : <drawing.component />}
      </div>
    );
  return (
    <ObjectFrame below={place}>
      {Charts ? (
        <Charts collection={place.collection} resource={resource} />
      ) : (
        <List place={place} />
      )}
    </ObjectFrame>
  );
}

/** The records of a collection with the tools for them. */
export function List({ place }: { place: Place }) {
  const { t } = useTranslation();
  const { resource } = place;
  const [parameters, change] = useParameters();
  const [chosen, setChosen] = useState<ReadonlyMap<string, Json>>(new Map());
  const [deleting, setDeleting] = useState<Json[]>();

  const presentation = usePresentation(resource.path);
  const chosenNames = parameters.get(COLUMNS);
  const columns = useMemo(() => {
    const names = chosenNames?.split(',') ?? defaultColumns(resource, presentation);
    return columnsOf(t, resource, presentation, names);
  }, [t, resource, presentation, chosenNames]);
  const options = listQuery(place, presentation, parameters, columns);
  const list = useInfiniteQuery(options);
  const records = useMemo(
    () => list.data?.pages.flatMap((page) => page.records) ?? [],
    [list.data],
  );
  const isFiltered = Boolean(parameters.get(SEARCH)) || filtersOf(parameters).length > 0;
  const query = options.queryKey[2] as Record<string, string>;
  const total = useTotal(place, query, Boolean(list.hasNextPage)) ?? records.length;

  const fresh = useFreshRows({
    place,
    queryKey: options.queryKey,
    query,
    records,
    refetch: () => list.refetch(),
  });

  function refresh() {
    fresh.forget();
    void list.refetch();
  }

  const clear = () =>
    change({
      [SEARCH]: '',
      ...Object.fromEntries(filtersOf(parameters).map(([name]) => [name, ''])),
    });

  async function save() {
    const { max_records: _page, ...rest } = query;
    download(`${resource.path.split('/').at(-1)}.csv`, csv(columns, await everything(place, rest)));
  }

  return (
    <>
      <Tools
        place={place}
        columns={columns}
        total={total}
        chosen={[...chosen.values()]}
        isBusy={list.isFetching}
        onRefresh={refresh}
        others={fresh.others}
        onSave={() => void save()}
        onDelete={() => setDeleting([...chosen.values()])}
        onUnchoose={() => setChosen(new Map())}
      />
      {list.isError && (
        <ListFailure
          error={list.error}
          onRetry={() => void list.refetch()}
          time={records.length ? list.dataUpdatedAt : 0}
        />
      )}
      {list.isPending && <Loading />}
      {!list.isPending && !records.length && !list.isError ? (
        <EmptyList place={place} isFiltered={isFiltered} onClear={clear} />
      ) : (
        records.length > 0 && (
          <Table
            place={place}
            columns={columns}
            records={records}
            total={total}
            isStale={list.isError || list.isPlaceholderData}
            order={parameters.get(ORDER) ?? ''}
            onOrder={(order) => change({ [ORDER]: order })}
            chosen={chosen}
            onChoose={setChosen}
            onVisible={fresh.onVisible}
            onEnd={() => list.hasNextPage && !list.isFetchingNextPage && void list.fetchNextPage()}
          />
        )
      )}
      {deleting && (
        <DeleteDialog
          place={place}
          records={deleting}
          onClose={(done) => {
            setDeleting(undefined);
            if (done) setChosen(new Map());
          }}
        />
      )}
    </>
  );
}

/** The number of all records, which the array counts in a call of its own: only of long lists. */
function useTotal(
  place: Place,
  query: Record<string, string>,
  isLong: boolean,
): number | undefined {
  const { fields: _fields, order_by: _order, max_records: _page, ...filters } = query;
  const { data } = useQuery({
    queryKey: ['count', place.collection, filters],
    enabled: isLong,
    staleTime: 60_000,
    queryFn: async () =>
      Number(
        (await call('GET', place.collection, { ...filters, return_records: false }))['num_records'],
      ),
  });
  return isLong ? data : undefined;
}
