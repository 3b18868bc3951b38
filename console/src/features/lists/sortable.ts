interface Sorting {
  readonly search: Readonly<Record<string, string>>
  readonly onSort: (sortBy: string, sortOrder: 'asc' | 'desc') => void
}

/** The sorting of a column: the first click uses the order `first`, the next one reverses it. */
export function sortable({ search, onSort }: Sorting, field: string, first: 'asc' | 'desc') {
  const isSorted = search.sortBy === field
  const isUp = (search.sortOrder ?? first) === 'asc'
  return {
    sort: isSorted ? (isUp ? ('ascending' as const) : ('descending' as const)) : ('none' as const),
    onSort: () => onSort(field, isSorted ? (isUp ? 'desc' : 'asc') : first),
  }
}
