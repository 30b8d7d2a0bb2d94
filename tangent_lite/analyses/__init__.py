"""What several passes rest on: facts about the statements of a body, found and not changed."""
