-- name: note_use
INSERT INTO memory_uses (item, session_id, used_at) VALUES (:item, :session_id, :at)
ON CONFLICT (item, session_id) DO NOTHING RETURNING item

-- name: usage_of
SELECT usage_count, confidence_gain FROM memory_usage WHERE item = :item

-- name: count_use
INSERT INTO memory_usage (item, usage_count, last_used_at, confidence_gain) VALUES (:item, 1, :at, :gain)
ON CONFLICT (item) DO UPDATE SET
    usage_count = usage_count + 1,
    last_used_at = max(coalesce(last_used_at, excluded.last_used_at), excluded.last_used_at),
    confidence_gain = excluded.confidence_gain

-- name: move_reinforcement
INSERT INTO memory_usage (item, reinforcement, last_hit_at) VALUES (:item, :by, :at)
ON CONFLICT (item) DO UPDATE SET
    reinforcement = reinforcement + :by,
    last_hit_at = coalesce(:at, last_hit_at)

-- name: fold_gain
UPDATE memory_usage SET confidence_gain = 0 WHERE item = :item AND confidence_gain <> 0

-- name: put_usage
INSERT INTO memory_usage (item, reinforcement, usage_count, last_used_at, last_hit_at)
VALUES (:item, :reinforcement, :usage_count, :last_used_at, :last_hit_at)
ON CONFLICT (item) DO UPDATE SET
    reinforcement = excluded.reinforcement, usage_count = excluded.usage_count,
    last_used_at = excluded.last_used_at, last_hit_at = excluded.last_hit_at
