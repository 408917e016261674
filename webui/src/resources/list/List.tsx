import { useState } from 'react';

import type { Json } from '../../api/client';
import { useParameters } from '../../base/address';
import { ListFailure } from '../../base/Failure';
import { Loading } from '../../base/Loading';
import type { Place } from '../../declarations/place';
import { DeleteDialog } from '../action/DeleteDialog';
import { EmptyList } from '../EmptyList';
import { ORDER } from './query';
import { Table } from './Table';
import { Tools } from './Tools';
import { useList } from './useList';

/** The records of a collection with the tools for them. */
export function List({ place }: { place: Place }) {
  const [parameters, change] = useParameters();
  const [chosen, setChosen] = useState<ReadonlyMap<string, Json>>(new Map());
  const [deleting, setDeleting] = useState<Json[]>();
  const { list, columns, records, total, fresh, ...rest } = useList(place);
  const isEmpty = !list.isPending && !list.isError && !records.length;
  return (
    <>
      <Tools
        place={place}
        columns={columns}
        total={total}
        chosen={[...chosen.values()]}
        isBusy={list.isFetching}
        onRefresh={rest.refresh}
        others={fresh.others}
        onSave={rest.save}
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
      {isEmpty && (
        <EmptyList place={place} isFiltered={rest.isFiltered} onClear={rest.clearFilters} />
      )}
      {records.length > 0 && (
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
          onEnd={rest.readOn}
        />
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
