"""Upkeep: what organises memories while nobody waits. Jobs plan, one runner applies, and undo takes back.

`job` is what a job is, `ground` what it may read, `change` what it may do. `jobs` holds the jobs, one file each,
`schedule` says when they run.
"""
